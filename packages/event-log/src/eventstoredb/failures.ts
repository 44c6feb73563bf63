import { type ServiceError, status } from '@grpc/grpc-js';
import { messageOf } from '../adapter.ts';
import type { EncodedAppend } from '../encode-append.ts';
import {
  EventIdConflictError,
  EventLogDeniedError,
  EventLogError,
  EventLogSetupError,
  EventLogUnavailableError,
  InvalidAppendError,
  StreamDeletedError,
  UnknownPositionError,
  WrongExpectedRevisionError,
} from '../errors.ts';
import type { ExpectedRevision } from '../port.ts';

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && typeof error.code === 'number';

/** The server's name for an exception, in the trailers of a failed call. */
const exceptionOf = (error: unknown): string | undefined =>
  isServiceError(error) ? error.metadata?.get('exception')[0]?.toString() : undefined;

/** An append that the server refused in an answer, and not by ending the call. `code` is that of gRPC, which `google.rpc.Status` repeats. */
export class AppendRefusedError extends Error {
  override readonly name = 'AppendRefusedError';
  readonly code: number;
  readonly details: string;
  /** The server's name for the refusal: 'StreamDeleted', 'AccessDenied', 'Timeout', …; '' if it has none. */
  readonly kind: string;

  constructor(code: number, details: string, kind = '') {
    super(details);
    this.code = code;
    this.details = details;
    this.kind = kind;
  }
}

/** What a failed call says of its node: `leader` is another one that it names. Null: nothing. */
export type NodeFault = 'lost' | 'in doubt' | { leader: { address: string; port: number } | null };

export function nodeFault(cause: unknown): NodeFault | null {
  if (!isServiceError(cause)) return null;
  if (exceptionOf(cause) === 'not-leader') {
    const [address] = cause.metadata.get('leader-endpoint-host');
    const [port] = cause.metadata.get('leader-endpoint-port');
    return { leader: address === undefined ? null : { address: address.toString(), port: Number(port) } };
  }
  if (exceptionOf(cause) !== undefined) return null;
  switch (cause.code) {
    case status.UNAVAILABLE:
      return notReady.test(cause.details) ? 'in doubt' : 'lost';
    case status.OK:
    case status.CANCELLED:
    case status.UNKNOWN:
    case status.DEADLINE_EXCEEDED:
    case status.ABORTED:
    case status.INTERNAL:
      return isInvalidPosition(cause) ? null : 'in doubt';
    default:
      return null;
  }
}

/** The effect of a failed append: surely nothing, or perhaps a write; `final` if a retry cannot change the answer. */
type AppendFailure = { kind: 'final'; error: EventLogError } | { kind: 'not written' } | { kind: 'unknown' };

export function appendFailure(cause: unknown, { stream }: EncodedAppend): AppendFailure {
  if (cause instanceof EventLogError) return final(cause);
  const what = `The append to ${JSON.stringify(stream)}`;
  if (cause instanceof AppendRefusedError) {
    switch (cause.kind) {
      case 'StreamDeleted':
        return final(new StreamDeletedError(stream, { cause }));
      case 'AccessDenied':
        return final(accessDenied(what, cause));
      case 'MaximumAppendSizeExceeded':
        return final(new InvalidAppendError(`${what} is larger than the server allows.`, { cause }));
      case 'BadRequest':
        return final(new InvalidAppendError(`The server refuses the append to ${JSON.stringify(stream)}.`, { cause }));
      default:
        return { kind: isNotWritten(cause.details) ? 'not written' : 'unknown' };
    }
  }
  // The stub throws another error if its channel was closed before anything was sent.
  if (!isServiceError(cause)) return { kind: 'not written' };
  switch (cause.code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return final(accessDenied(what, cause));
    case status.UNIMPLEMENTED:
      return final(
        new EventLogSetupError(
          'The server at EVENT_LOG_URL does not take batches of appends: it is no EventStoreDB, or older than 21.10.',
          { cause },
        ),
      );
    case status.UNAVAILABLE:
      return { kind: neverConnected.test(cause.details) ? 'not written' : 'unknown' };
    // Also for a node that is not the leader: it may have been when it took an earlier append of the same call.
    default:
      return { kind: 'unknown' };
  }
}

const final = (error: EventLogError): AppendFailure => ({ kind: 'final', error });

/** Messages of grpc-js for calls that never got a connection. */
const neverConnected = /^(?:No connection established|Name resolution failed|Channel closed before call started)/;

/** What a node says that takes no calls now, and of an append that it has not taken. */
const notReady = /^(?:Server Is (?:Not Ready|Busy|Too Busy)|No leader info available)/;

const isNotWritten = (details: string): boolean => notReady.test(details) || neverConnected.test(details);

/** The answer to a read from a position that is not an event's. */
const isInvalidPosition = (cause: unknown): boolean =>
  isServiceError(cause) && cause.code === status.UNKNOWN && cause.details.includes('InvalidPosition');

const accessDenied = (what: string, cause: unknown): EventLogSetupError =>
  isServiceError(cause) && cause.code === status.UNAUTHENTICATED
    ? new EventLogSetupError(
        `${what} was refused: the server does not know the user of EVENT_LOG_URL, or its password.`,
        {
          cause,
        },
      )
    : new EventLogDeniedError(`${what} was refused: the user of EVENT_LOG_URL may not do this.`, { cause });

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

/** The outcome of a failed removal: the stream stays, as it has grown; it is gone already; or the caller's error. */
export function removalFailure(stream: string, cause: unknown): 'stays' | 'gone' | EventLogError {
  if (cause instanceof EventLogError) return cause;
  const what = `Removing stream ${JSON.stringify(stream)}`;
  switch (exceptionOf(cause)) {
    case 'wrong-expected-version':
      return 'stays';
    case 'stream-deleted':
      return 'gone';
    case 'access-denied':
      return accessDenied(what, cause);
    default:
  }
  const isDenied =
    isServiceError(cause) && (cause.code === status.PERMISSION_DENIED || cause.code === status.UNAUTHENTICATED);
  return isDenied
    ? accessDenied(what, cause)
    : new EventLogUnavailableError(`${what} failed: EventStoreDB is not available (${messageOf(cause)}).`, { cause });
}

/** The error of a failed read; null for a stream that does not exist, or was deleted: what was archived reads as what never was. */
export function readFailure(what: string, cause: unknown): EventLogError | null {
  if (cause instanceof EventLogError) return cause;
  switch (exceptionOf(cause)) {
    case 'stream-not-found':
    case 'stream-deleted':
      return null;
    case 'access-denied':
      return accessDenied(what, cause);
    default:
  }
  if (isInvalidPosition(cause)) return new UnknownPositionError(what, { cause });
  const isDenied =
    isServiceError(cause) && (cause.code === status.PERMISSION_DENIED || cause.code === status.UNAUTHENTICATED);
  return isDenied
    ? accessDenied(what, cause)
    : new EventLogUnavailableError(`${what} failed: EventStoreDB is not available (${messageOf(cause)}).`, { cause });
}
