import type { Stack } from '@agent-trust/dev-stack';
import type { RecordedEvent } from '@agent-trust/event-log';
import { expect } from 'vitest';
import { httpTo, textMessage } from '../../support/registry.ts';
import type { Attempt } from './load.ts';
import { digestOf, exchangesOf, readWholeLog } from './raw-log.ts';
import { query } from './read-model-rows.ts';
import type { RecordingAgent } from './recording-agent.ts';
import { waitFor } from './wait-for.ts';

/** A refusal that tells the client what to do. Any other failure (500, an HTML page, no answer) is a bug of the system. */
const clearCodes = new Set(['unavailable', 'overloaded', 'read_model_behind', 'write_conflict']);

/**
 * Attempts that ended in a way that no partial failure excuses.
 *
 * @param agentMs CALL_TIMEOUT_MS, if the agent is in the test's process, which may be late on a busy machine: then its limit ends the call, no sooner.
 */
export function unexplained(attempts: readonly Attempt[], agentMs = Infinity): Attempt[] {
  const isLate = ({ code, durationMs }: Attempt): boolean => code === 'downstream_failed' && durationMs >= agentMs;
  return attempts.filter(
    (attempt) => attempt.outcome === 'refused' && !clearCodes.has(attempt.code ?? '') && !isLate(attempt),
  );
}

/**
 * Waits until every process is up, the database answers and the read model has caught up with what the log had when all that was so. While
 * clients write, it may never be seen without any lag.
 */
export async function untilHealthy(stack: Stack): Promise<void> {
  let head: bigint | null = null;
  await waitFor(
    async () => {
      if (!stack.isReady()) throw new Error(`not every process is up: ${JSON.stringify(stack.processes())}`);
      const positions: bigint[] = [];
      for (const url of stack.urls) {
        const { status, body } = await httpTo(url).get('/health');
        const projection = body['projection'] as Record<'status' | 'position' | 'head_position', string | null>;
        const { status: jetstream } = body['jetstream'] as { status: string };
        if (status !== 200 || projection.status !== 'ok' || jetstream !== 'ok')
          throw new Error(`${url} is not healthy: ${status} ${JSON.stringify(body)}`);
        head ??= BigInt(projection.head_position ?? 0);
        positions.push(BigInt(projection.position ?? 0));
      }
      const behind = positions.find((position) => position < (head ?? 0n));
      if (behind !== undefined) throw new Error(`the read model is at ${behind}, the log was at ${head}`);
      return true;
    },
    { intervalMs: 50, description: 'the system to be healthy again by itself' },
  );
}

/**
 * What is seen of the system while nothing is appended to its log, with the events of the log, all of which readers see. Exchanges of dead
 * processes end by themselves, so an event may come between two looks; then both are taken again.
 */
export function whileUnchanged<Seen>(
  stack: Stack,
  look: () => Promise<Seen>,
): Promise<{ events: RecordedEvent[]; seen: Seen }> {
  return waitFor(
    async () => {
      const events = await readWholeLog(stack);
      await untilHealthy(stack);
      const seen = await look();
      return (await readWholeLog(stack)).length === events.length ? { events, seen } : null;
    },
    { intervalMs: 200, description: 'a moment in which nothing is appended' },
  );
}

/** The transactions that readers count for an agent. @throws Error while it cannot be asked */
export async function transactionCountOf(stack: Stack, agentId: string): Promise<unknown> {
  const { status, body } = await httpTo(stack.url).post('/verify', { agent_id: agentId });
  if (status !== 200) throw new Error(`verify returned ${status}: ${JSON.stringify(body)}`);
  return body['transaction_count'];
}

const messageOf = (attempt: Attempt): unknown =>
  textMessage(attempt.mark, attempt.kind === 'stream' ? 'message/stream' : 'message/send');

/**
 * Compares the clients' answers and the agents' requests with the log, and the log with the read models:
 * every acknowledged write is there, every contacted call has exactly one record, and nothing counts twice.
 */
export async function expectNothingLostOrDoubled(
  stack: Stack,
  attempts: readonly Attempt[],
  agents: Record<string, RecordingAgent>,
): Promise<void> {
  const { events, seen: shown } = await whileUnchanged(stack, async () => ({
    counts: new Map(
      await Promise.all(
        Object.keys(agents).map(async (agentId) => [agentId, await transactionCountOf(stack, agentId)] as const),
      ),
    ),
    statuses: await query<{ status: string; count: string }>(
      stack.environment['DATABASE_URL'],
      'SELECT status, count(*) FROM read_models.exchange GROUP BY 1',
    ),
  }));
  const exchanges = exchangesOf(events);
  const acknowledged = (kind: Attempt['kind']): Attempt[] =>
    attempts.filter((attempt) => attempt.kind === kind && attempt.outcome === 'acknowledged');

  const registered = new Set(events.filter(({ type }) => type === 'AgentRegistered').map(({ stream }) => stream));
  const lostAgents = acknowledged('register').filter(({ mark }) => !registered.has(`agent-${mark}`));
  expect(lostAgents, 'acknowledged registrations missing from the log').toEqual([]);

  const byDigest = new Map<string, string[]>();
  for (const { requestDigest, transactionId } of exchanges.values())
    byDigest.set(requestDigest, [...(byDigest.get(requestDigest) ?? []), transactionId]);
  const ends = ['ExchangeCompleted', 'ExchangeFailed', 'ExchangeAbandoned'];
  for (const exchange of exchanges.values()) {
    const endings = exchange.after.filter((type) => ends.includes(type));
    const reviews = exchange.after.filter((type) => type === 'ExchangeReviewed');
    expect([endings.length <= 1, reviews.length <= 1], `${exchange.transactionId}: ${exchange.after.join()}`).toEqual([
      true,
      true,
    ]);
  }

  const seen = new Map(Object.values(agents).flatMap((agent) => [...agent.seen]));
  for (const attempt of [...attempts].filter(({ kind }) => kind === 'call' || kind === 'stream')) {
    const records = byDigest.get(digestOf(messageOf(attempt))) ?? [];
    const contacts = seen.get(attempt.mark) ?? 0;
    const what = `${attempt.kind} ${attempt.mark} (${attempt.outcome} ${attempt.status} ${attempt.code})`;
    expect(contacts, `${what}: requests that reached the agent`).toBeLessThanOrEqual(1);
    expect(records.length, `${what}: exchange records`).toBeLessThanOrEqual(1);
    if (contacts === 1) expect(records.length, `${what}: records of a contacted call`).toBe(1);
    if (attempt.outcome === 'acknowledged') {
      expect(records, `${what}: its record`).toEqual([attempt.body['transaction_id']]);
      expect(exchanges.get(records[0] ?? '')?.after[0], `${what}: its end`).toBe('ExchangeCompleted');
    }
  }

  const lostReviews = acknowledged('review').filter(
    ({ mark }) => exchanges.get(mark)?.after.includes('ExchangeReviewed') !== true,
  );
  expect(lostReviews, 'acknowledged reviews missing from the log').toEqual([]);

  for (const [agentId, agent] of Object.entries(agents)) {
    const own = [...exchanges.values()].filter(({ receiverAgentId }) => receiverAgentId === agentId);
    const completed = own.filter(({ after }) => after.includes('ExchangeCompleted')).length;
    expect(shown.counts.get(agentId), `transaction_count of ${agentId}`).toBe(completed);
    expect(completed, `${agentId}: completed exchanges compared with complete answers`).toBeLessThanOrEqual(
      agent.answered.size,
    );
  }
  const inReadModel = shown.statuses.reduce((sum, { count }) => sum + Number(count), 0);
  expect(inReadModel, 'exchanges in the read model').toBe(exchanges.size);
}
