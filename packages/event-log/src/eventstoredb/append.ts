import { backoffMs, pause } from '@agent-trust/limits';
import { lateAppend } from '../adapter.ts';
import type { EncodedAppend } from '../encode-append.ts';
import { EventLogUnavailableError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import type { Connection } from './connection.ts';
import { appendFailure } from './failures.ts';
import type { Reader } from './read.ts';

/** Appends; retries with the same event ids while there is no leader, or it did not answer, until the deadline. */
export async function appendWithRetries(
  connection: Connection,
  reader: Reader,
  append: EncodedAppend,
  expected: ExpectedRevision,
  deadlineMs: number,
): Promise<AppendResult> {
  const { attemptTimeoutMs, retryBackoff } = eventLogLimits.eventStoreDb;
  const deadlineAt = Date.now() + deadlineMs;
  const leftMs = (): number => Math.max(1, deadlineAt - Date.now());
  let mayBeWritten = false;
  for (let attempt = 0; ; attempt++) {
    let failed: unknown;
    try {
      const node = await connection.node(leftMs());
      try {
        const { revision, position } = await node.appends.append(
          append,
          expected,
          Math.min(attemptTimeoutMs, leftMs()),
        );
        mayBeWritten = true;
        // The server may answer a repeated append without a position.
        return { revision, position: position ?? (await reader.positionOf(append.stream, revision)) };
      } catch (cause) {
        connection.failed(node, cause);
        throw cause;
      }
    } catch (cause) {
      failed = cause;
    }
    // No leader, or a repeated append whose position cannot be read.
    const isUnavailable = failed instanceof EventLogUnavailableError;
    const failure = isUnavailable ? { kind: 'not written' as const } : appendFailure(failed, append);
    if (failure.kind === 'final') throw failure.error;
    if (failure.kind === 'unknown') mayBeWritten = true;
    const wait = backoffMs(attempt, retryBackoff);
    if (Date.now() + wait >= deadlineAt) throw lateAppend(append.stream, deadlineMs, mayBeWritten, failed);
    await pause(wait);
  }
}
