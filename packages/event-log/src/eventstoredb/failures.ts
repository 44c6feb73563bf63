import { type ServiceError, status } from '@grpc/grpc-js';
import { messageOf } from '../adapter.ts';
import type { EncodedAppend } from '../encode-append.ts';
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

/** The effect of a failed append: surely nothing, or perhaps a write; `final` if a retry cannot change the answer. */
type AppendFailure = { kind: 'final'; error: EventLogError } | { kind: 'not written' } | { kind: 'unknown' };

export function appendFailure(cause: unknown, append: EncodedAppend, expected: ExpectedRevision): AppendFailure {
  if (cause instanceof EventLogError) return final(cause);
  const { stream } = append;
  const what = `The append to ${JSON.stringify(stream)}`;
  switch (exceptionOf(cause)) {
    case 'wrong-expected-version': {
      const actual = isServiceError(cause) ? cause.metadata.get('actual-version')[0]?.toString() : undefined;
      const revision = actual === undefined || actual.startsWith('-') ? 'no_stream' : BigInt(actual);
      return final(conflict(append, expected, revision));
    }
    case 'stream-deleted':
      return final(new StreamDeletedError(stream, { cause }));
    case 'maximum-append-size-exceeded':
      return final(new InvalidAppendError(`${what} is larger than the server allows.`, { cause }));
    case 'access-denied':
      return final(accessDenied(what, cause));
    case 'not-leader':
      return { kind: 'not written' };
    default:
  }
  // The stub throws another error if its channel was closed before anything was sent.
  if (!isServiceError(cause)) return { kind: 'not written' };
  switch (cause.code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return final(accessDenied(what, cause));
    case status.INVALID_ARGUMENT:
      return final(
        new InvalidAppendError(`The server refuses the append to ${JSON.stringify(stream)}: ${cause.details}`, {
          cause,
        }),
      );
    case status.UNIMPLEMENTED:
      return final(
        new EventLogSetupError('The server at EVENT_LOG_URL does not speak the streams protocol of EventStoreDB.', {
          cause,
        }),
      );
    case status.UNAVAILABLE:
      return { kind: neverConnected.test(cause.details) ? 'not written' : 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}

const final = (error: EventLogError): AppendFailure => ({ kind: 'final', error });

/** Messages of grpc-js for calls that never got a connection. */
const neverConnected = /^(?:No connection established|Name resolution failed|Channel closed before call started)/;

const accessDenied = (what: string, cause: unknown): EventLogSetupError =>
  new EventLogSetupError(`${what} was refused: the user of EVENT_LOG_URL may not do this.`, { cause });

/**
 * EventStoreDB reports 'wrong expected version' for two cases. If the writer expected no specific revision, it means that some of the event ids are
 * in the stream already ("corrupted idempotency").
 */
export function conflict(
  { stream, events }: EncodedAppend,
  expected: ExpectedRevision,
  actual: bigint | 'no_stream',
): WrongExpectedRevisionError | EventIdConflictError {
  if (expected !== 'any' && (expected !== 'stream_exists' || actual === 'no_stream')) {
    return new WrongExpectedRevisionError(stream, expected, actual);
  }
  return new EventIdConflictError(
    stream,
    events.map(({ eventId }) => eventId),
  );
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
