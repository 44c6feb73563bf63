import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { waitFor } from '@agent-trust/test-kit';
import { appendHistory } from '../support/history.ts';
import { httpTo } from '../support/registry.ts';
import { copyRows } from './copy-rows.ts';
import { runReplay } from './replay-command.ts';

const catchUpTimeoutMs = 10 * 60_000;

export type ReplayBench = {
  events: number;
  /** Of the whole command: building, comparing every row, switching. */
  commandSeconds: number;
  /** Of building alone, as the command reports it. */
  eventsPerSecond: number;
  rows: number;
  /** Rows per second of copying the finished rows into empty tables with the same columns and indexes, in one session. */
  copiedRowsPerSecond: number;
  copySeconds: number;
  /** The live projection while it catches up with the same events. */
  liveEventsPerSecond: number;
};

/** `npm run replay` of a seeded history, compared with COPY of the resulting rows. */
export async function benchReplay(stack: Stack, databaseUrl: string, eventCount: number): Promise<ReplayBench> {
  const log = await openEventLog(databaseUrl);
  const http = httpTo(stack.url);
  try {
    const before = performance.now();
    const { events, position } = await appendHistory(log, {
      seed: 1,
      eventCount,
      agentCount: 1_000,
      prefix: 'history',
    });
    await waitFor(
      async () => {
        const { body } = await http.get('/health');
        const projection = body['projection'] as { position: string | null };
        return BigInt(projection.position ?? '-1') >= position;
      },
      { timeoutMs: catchUpTimeoutMs, intervalMs: 100, description: 'the projection caught up with the history' },
    );
    const liveSeconds = (performance.now() - before) / 1_000;
    const replay = await runReplay(stack.environment);
    const copied = await copyRows(databaseUrl);
    return {
      events: replay.events,
      commandSeconds: replay.seconds,
      eventsPerSecond: replay.eventsPerSecond,
      rows: copied.rows,
      copySeconds: copied.seconds,
      copiedRowsPerSecond: copied.rows / copied.seconds,
      liveEventsPerSecond: events / liveSeconds,
    };
  } finally {
    await log.close();
  }
}
