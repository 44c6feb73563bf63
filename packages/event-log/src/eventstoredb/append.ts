import type { EventStoreDBClient } from '@eventstore/db-client';
import { backoffMs, pause } from '../backoff.ts';
import type { EncodedAppend } from '../encode-append.ts';
import { EventLogClosedError, EventLogTimeoutError, EventLogUnavailableError } from '../errors.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import { appendFailure, messageOf } from './failures.ts';
import type { Reader } from './read.ts';
import { unaryAppend, type UnaryAppendResult } from './unary-append.ts';

/** Appends, again with the same event ids while the server is away, is not the leader or did not answer, until the deadline. */
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
      const result = await withinDeadline(
        unaryAppend(client, append, expected, Math.max(1, deadlineAt - Date.now())),
        deadlineAt,
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
    const wait = backoffMs(attempt);
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

/** A second deadline beside the call's own: finding a node (DNS, gossip) comes before the call and has none. */
const withinDeadline = async (attempt: Promise<UnaryAppendResult>, deadlineAt: number): Promise<UnaryAppendResult> => {
  const graceMs = 100;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('no answer before the deadline'), { code: 4 })),
      deadlineAt - Date.now() + graceMs,
    );
  });
  try {
    return await Promise.race([attempt, late]);
  } finally {
    clearTimeout(timer);
    attempt.catch(() => undefined);
  }
};

/** For a repeated append the server may answer without a position. */
const completed = async (
  reader: Reader,
  stream: string,
  { revision, position }: UnaryAppendResult,
): Promise<AppendResult> => ({
  revision,
  position: position ?? (await reader.positionOf(stream, revision)),
});
