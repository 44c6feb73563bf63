import type { EventStoreDBClient } from '@eventstore/db-client';
import { backoffMs, pause, withDeadline } from '@agent-trust/limits';
import type { EncodedAppend } from '../encode-append.ts';
import { EventLogClosedError, EventLogTimeoutError, EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import { appendFailure, messageOf } from './failures.ts';
import type { Reader } from './read.ts';
import { unaryAppend, type UnaryAppendResult } from './unary-append.ts';

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
  const name = JSON.stringify(append.stream);
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
      return await completed(reader, append.stream, result);
    } catch (error) {
      failed = error;
    }
    const failure = appendFailure(
      failed,
      append.stream,
      expected,
      append.events.map((event) => event.eventId),
    );
    if (failure.kind === 'final') throw failure.error;
    if (failure.kind === 'unknown') mayBeWritten = true;
    const wait = backoffMs(attempt, eventLogLimits.reconnectBackoff);
    if (Date.now() + wait >= deadlineAt) {
      throw mayBeWritten
        ? new EventLogTimeoutError(
            `The append to ${name} had no answer within ${deadlineMs} ms; it may be in the log (${messageOf(failed)}).`,
            { cause: failed },
          )
        : new EventLogUnavailableError(
            `The append to ${name} could not be made within ${deadlineMs} ms (${messageOf(failed)}).`,
            { cause: failed },
          );
    }
    await pause(wait, closing);
  }
}

/** The server may answer a repeated append without a position. */
const completed = async (
  reader: Reader,
  stream: string,
  { revision, position }: UnaryAppendResult,
): Promise<AppendResult> => ({
  revision,
  position: position ?? (await reader.positionOf(stream, revision)),
});
