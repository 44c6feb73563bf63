import type { ExpectedRevision } from './port.ts';

/** Base class of all errors of an event log. `code` is stable; `retryable` means that the same call, with the same event ids, may succeed later. */
export class EventLogError extends Error {
  override readonly name: string = 'EventLogError';
  readonly code: string = 'event_log_error';
  readonly retryable: boolean = false;
}

/** The stream is at another revision than the writer expected; nothing was written. Read again, decide again. */
export class WrongExpectedRevisionError extends EventLogError {
  override readonly name = 'WrongExpectedRevisionError';
  override readonly code = 'wrong_expected_revision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** Last revision of the stream at the time of the refusal; 'no_stream' if it has no events. */
  readonly actual: bigint | 'no_stream';

  constructor(stream: string, expected: ExpectedRevision, actual: bigint | 'no_stream') {
    super(
      `Stream ${JSON.stringify(stream)} is at ${describeRevision(actual)}, but the append expected ${describeRevision(expected)}.`,
    );
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/**
 * Event ids of the append are in the log already, but not as this append: some of them, in another order, or in another stream. Nothing was written.
 */
export class EventIdConflictError extends EventLogError {
  override readonly name = 'EventIdConflictError';
  override readonly code = 'event_id_conflict';
  readonly stream: string;

  constructor(stream: string, eventIds: readonly string[]) {
    super(
      `The append to stream ${JSON.stringify(stream)} repeats event ids that the log holds for another append: ${listed(eventIds)}.`,
    );
    this.stream = stream;
  }
}

/** The stream was deleted for good: nothing can be appended to it. */
export class StreamDeletedError extends EventLogError {
  override readonly name = 'StreamDeletedError';
  override readonly code = 'stream_deleted';
  readonly stream: string;

  constructor(stream: string, options?: ErrorOptions) {
    super(`Stream ${JSON.stringify(stream)} is deleted.`, options);
    this.stream = stream;
  }
}

/** The append itself is invalid (text that no log can store, too large, no events, a repeated id); nothing was sent. */
export class InvalidAppendError extends EventLogError {
  override readonly name = 'InvalidAppendError';
  override readonly code = 'invalid_append';
}

/** The log cannot be reached, refuses for now, or is overloaded; nothing was written by this call. */
export class EventLogUnavailableError extends EventLogError {
  override readonly name = 'EventLogUnavailableError';
  override readonly code = 'event_log_unavailable';
  override readonly retryable = true;
}

/** The deadline passed or the connection broke after the append was sent: it may have been written. Retry with the same event ids. */
export class EventLogTimeoutError extends EventLogError {
  override readonly name = 'EventLogTimeoutError';
  override readonly code = 'event_log_timeout';
  override readonly retryable = true;
}

/** A read from a position that the log never gave out: another log's, or invented. Some logs notice; see `EventLog`. */
export class UnknownPositionError extends EventLogError {
  override readonly name = 'UnknownPositionError';
  override readonly code = 'unknown_position';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} failed: no event of this log has the position from which to read.`, options);
  }
}

/** This log cannot take archived events back at their positions. */
export class RestoreImpossibleError extends EventLogError {
  override readonly name = 'RestoreImpossibleError';
  override readonly code = 'restore_impossible';
}

/** The log is not the one that was read before: an older copy was restored, and may have grown again. A retry helps only when that was undone. */
export class EventLogReplacedError extends EventLogError {
  override readonly name = 'EventLogReplacedError';
  override readonly code = 'event_log_replaced';
  readonly position: bigint;

  /** @param hasAnother whether the log has another event at the position, instead of none */
  constructor(position: bigint, hasAnother: boolean) {
    super(
      hasAnother
        ? `The event log has another event at position ${position} than the one that was read there.`
        : `The event log has no event at position ${position} any more, where one was read.`,
    );
    this.position = position;
  }
}

/** This event log object was closed by its owner. */
export class EventLogClosedError extends EventLogError {
  override readonly name = 'EventLogClosedError';
  override readonly code = 'event_log_closed';
}

/** The log's database or server cannot be used: no schema, no permission, a wrong address. A retry does not help. */
export class EventLogSetupError extends EventLogError {
  override readonly name: string = 'EventLogSetupError';
  override readonly code = 'event_log_setup';
}

/** The user of the log may not do this. */
export class EventLogDeniedError extends EventLogSetupError {
  override readonly name = 'EventLogDeniedError';
}

/** Another build created the log, and wrote events that this build cannot read. */
export class EventLogFormatError extends EventLogSetupError {
  override readonly name = 'EventLogFormatError';
}

const describeRevision = (revision: ExpectedRevision): string => {
  switch (revision) {
    case 'no_stream':
      return 'no events';
    case 'stream_exists':
      return 'any event';
    case 'any':
      return 'anything';
    default:
      return `revision ${revision}`;
  }
};

const listedIdsMax = 3;
const listed = (ids: readonly string[]): string =>
  ids.length <= listedIdsMax
    ? ids.join(', ')
    : `${ids.slice(0, listedIdsMax).join(', ')} and ${ids.length - listedIdsMax} more`;
