import type { EventStoreDBClient } from '@eventstore/db-client';
import { backoffMs, pause, withDeadline } from '@agent-trust/limits';
import { lateAppend } from '../adapter.ts';
import type { EncodedAppend } from '../encode-append.ts';
import { EventLogClosedError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import { appendFailure } from './failures.ts';
import type { Reader } from './read.ts';
import { unaryAppend } from './unary-append.ts';

const nodeSearchGraceMs = 100;

/** Appends; retries with the same event ids while the server is unavailable, is not the leader or did not answer, until the deadline. */
export async function appendWithRetries(
  client: EventStoreDBClient,
  reader: Reader,
  append: EncodedAppend,
  expected: ExpectedRevision,
  deadlineMs: number,
  closing: AbortSignal,
): Promise<AppendResult> {
  const deadlineAt = Date.now() + deadlineMs;
  let mayBeWritten = false;
  for (let attempt = 0; ; attempt++) {
    if (closing.aborted) throw new EventLogClosedError('The event log is closed.');
    let failed: unknown;
    try {
      const leftMs = Math.max(1, deadlineAt - Date.now());
      // A second deadline besides the call's own: finding a node (DNS, gossip) comes before the call and has none.
      const result = await withDeadline(unaryAppend(client, append, expected, leftMs), leftMs + nodeSearchGraceMs, () =>
        Object.assign(new Error('no answer before the deadline'), { code: 4 }),
      );
      const { revision } = result;
      // The server may answer a repeated append without a position.
      return { revision, position: result.position ?? (await reader.positionOf(append.stream, revision)) };
    } catch (error) {
      failed = error;
    }
    const failure = appendFailure(failed, append, expected);
    if (failure.kind === 'final') throw failure.error;
    if (failure.kind === 'unknown') mayBeWritten = true;
    const wait = backoffMs(attempt, eventLogLimits.reconnectBackoff);
    if (Date.now() + wait >= deadlineAt) throw lateAppend(append.stream, deadlineMs, mayBeWritten, failed);
    await pause(wait, closing);
  }
}
