import { type ServiceError, status } from '@grpc/grpc-js';
import {
  EventIdConflictError,
  EventLogError,
  EventLogSetupError,
  EventLogUnavailableError,
  InvalidAppendError,
  StreamDeletedError,
  WrongExpectedRevisionError,
} from '../errors.ts';
import type { ExpectedRevision } from '../port.ts';

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && typeof error.code === 'number';

/** The server's name for an exception, in the trailers of a failed call; `type` if the client has translated it already. */
const exceptionOf = (error: unknown): string | undefined => {
  if (error instanceof Error && 'type' in error && typeof error.type === 'string') return error.type;
  return isServiceError(error) ? error.metadata?.get('exception')[0]?.toString() : undefined;
};

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The effect of a failed append: surely nothing, or perhaps a write; `final` if a retry cannot change the answer. */
export type AppendFailure = { kind: 'final'; error: EventLogError } | { kind: 'not written' } | { kind: 'unknown' };

export function appendFailure(
  error: unknown,
  stream: string,
  expected: ExpectedRevision,
  eventIds: readonly string[],
): AppendFailure {
  if (error instanceof EventLogError) return { kind: 'final', error };
  switch (exceptionOf(error)) {
    case 'wrong-expected-version': {
      const actual = isServiceError(error) ? error.metadata.get('actual-version')[0]?.toString() : undefined;
      return {
        kind: 'final',
        error: conflict(
          stream,
          expected,
          actual === undefined || actual.startsWith('-') ? 'no_stream' : BigInt(actual),
          eventIds,
        ),
      };
    }
    case 'stream-deleted':
      return { kind: 'final', error: new StreamDeletedError(stream, { cause: error }) };
    case 'maximum-append-size-exceeded':
      return {
        kind: 'final',
        error: new InvalidAppendError(`The append to ${JSON.stringify(stream)} is larger than the server allows.`, {
          cause: error,
        }),
      };
    case 'access-denied':
      return { kind: 'final', error: accessDenied(`The append to ${JSON.stringify(stream)}`, error) };
    case 'not-leader':
      return { kind: 'not written' };
    default:
  }
  if (!isServiceError(error)) {
    // The stub throws this if its channel was closed before anything was sent.
    return { kind: 'not written' };
  }
  switch (error.code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return { kind: 'final', error: accessDenied(`The append to ${JSON.stringify(stream)}`, error) };
    case status.INVALID_ARGUMENT:
      return {
        kind: 'final',
        error: new InvalidAppendError(`The server refuses the append to ${JSON.stringify(stream)}: ${error.details}`, {
          cause: error,
        }),
      };
    case status.UNIMPLEMENTED:
      return {
        kind: 'final',
        error: new EventLogSetupError(
          'The server at EVENT_LOG_URL does not speak the streams protocol of EventStoreDB.',
          { cause: error },
        ),
      };
    case status.UNAVAILABLE:
      return { kind: neverConnected.test(error.details) ? 'not written' : 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}

/** Messages of grpc-js for calls that never got a connection. */
const neverConnected = /^(?:No connection established|Name resolution failed|Channel closed before call started)/;

const accessDenied = (what: string, cause: unknown): EventLogSetupError =>
  new EventLogSetupError(`${what} was refused: the user of EVENT_LOG_URL may not do this.`, { cause });

/**
 * EventStoreDB reports 'wrong expected version' for two cases. If the writer expected no specific revision, it means that some of the event ids are
 * in the stream already ("corrupted idempotency").
 */
export function conflict(
  stream: string,
  expected: ExpectedRevision,
  actual: bigint | 'no_stream',
  eventIds: readonly string[],
): WrongExpectedRevisionError | EventIdConflictError {
  return expected === 'any' || (expected === 'stream_exists' && actual !== 'no_stream')
    ? new EventIdConflictError(stream, eventIds)
    : new WrongExpectedRevisionError(stream, expected, actual);
}

/** The error of a failed read; null for a stream that does not exist. */
export function readFailure(what: string, stream: string, cause: unknown): EventLogError | null {
  if (cause instanceof EventLogError) return cause;
  switch (exceptionOf(cause)) {
    case 'stream-not-found':
      return null;
    case 'stream-deleted':
      return new StreamDeletedError(stream, { cause });
    case 'access-denied':
      return accessDenied(what, cause);
    default:
      return isServiceError(cause) && cause.code === status.PERMISSION_DENIED
        ? accessDenied(what, cause)
        : new EventLogUnavailableError(`${what} failed: EventStoreDB is not available (${messageOf(cause)}).`, {
            cause,
          });
  }
}
