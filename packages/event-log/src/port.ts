/** A JSON value in an event. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** The cause of an event: actor and request; see `metadata` of every recorded event. */
export type EventMetadata = {
  /** The request id that the client saw; the same in every event that one request caused. */
  correlationId?: string;
  /** The id of the event or command that directly caused this one. */
  causationId?: string;
  /** The actor, with the kinds of its credentials; older events, from before these were recorded, have none. Never a credential itself. */
  actor?: {
    kind: string;
    id: string | null;
    issuer?: string | undefined;
    keyId?: string | undefined;
    credentials?: string[] | undefined;
  };
  /** W3C trace context of the request. */
  traceparent?: string;
  /** Schema version of `data`; absent means 1. */
  schemaVersion?: number;
};

/** An event to append. `eventId` is a UUID; appending the same id again to the same stream is a no-op. */
export type NewEvent<Type extends string = string, Data extends JsonObject = JsonObject> = {
  eventId: string;
  type: Type;
  data: Data;
  metadata: EventMetadata;
};

/** An event as stored in the log. */
export type RecordedEvent<Type extends string = string, Data extends JsonObject = JsonObject> = {
  eventId: string;
  type: Type;
  data: Data;
  metadata: EventMetadata;
  stream: string;
  /** Revision in its stream, from 0. */
  revision: bigint;
  /** Position in the log: strictly increasing in commit order, not necessarily dense. */
  position: bigint;
  recordedAt: Date;
};

/** What the writer expects of the stream: its last revision, that it does not exist yet, or nothing. */
export type ExpectedRevision = bigint | 'no_stream' | 'stream_exists' | 'any';

export type AppendResult = {
  /** Revision of the last event of the append. */
  revision: bigint;
  /** Log position of the last event of the append. */
  position: bigint;
};

export type AppendOptions = { expectedRevision: ExpectedRevision; deadlineMs?: number };
export type ReadStreamOptions = { fromRevision?: bigint; countMax?: number; direction?: 'forwards' | 'backwards' };

/** A live subscription: an endless iteration that its owner must close. */
export type Subscription = AsyncIterable<RecordedEvent[]> & {
  /** Delivers at once what is gathered. */
  hurry(): void;
  /** Ends the iteration; resolves when nothing runs any more. */
  close(): Promise<void>;
};

export type SubscribeOptions = {
  /** Deliver events strictly after this position, which is one that the log gave out; null starts at the beginning. */
  after: bigint | null;
  /**
   * Id of the event at `after`, if it is known. Whenever the subscription has reconnected, it makes sure that the log still has the last event
   * that was read; else the iteration ends with `EventLogReplacedError`.
   */
  afterEventId?: string | null;
  /** Maximum number of events in one delivered batch. */
  batchEventsMax?: number;
  /** How long, in milliseconds, events are gathered at the end of the log: a lone request makes one batch, and busy times larger ones. Default, and least: the adapter's own, at most a few. */
  pauseMs?: number;
};

/** Events in the form in which the log sends them, outside the heap of V8 if the adapter can: many can be read ahead. */
export type PackedEvents = {
  /** Position of the last one; null if there are none. */
  lastPosition: bigint | null;
  /** The events, each made when it is asked for. Given a type, those of other types may be left out, where that spares making them. */
  unpack(type?: string): Iterable<RecordedEvent>;
};

/**
 * The event log. Every adapter passes the same contract suite (`@agent-trust/event-log/contract-suite`).
 *
 * All methods reject with `EventLogError` (see errors.ts): `WrongExpectedRevisionError`, `StreamDeletedError`, `EventLogUnavailableError`
 * (retryable), `EventLogTimeoutError` (outcome unknown; retry with the same event ids), `UnknownPositionError`.
 */
export type EventLog = {
  /** Appends all events to one stream, or none. Resolves when they are durable. */
  append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult>;
  /** Events of a stream in the given direction; none for an unknown stream, or one that was removed. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;
  /**
   * Events of all streams in position order, strictly after `after`, at most `countMax`. `after` is null (from the beginning) or a position that
   * the log gave out with an event. From any other, a log may start at the next event or reject with `UnknownPositionError`.
   */
  readAll(options: { after: bigint | null; countMax: number }): Promise<RecordedEvent[]>;
  /** As `readAll`, for those who read the whole log: may return fewer than `countMax`, but returns none only at the end of the log. */
  readPacked(options: { after: bigint | null; countMax: number }): Promise<PackedEvents>;
  /**
   * The events at these positions, in the order of the positions, at most `readAtPositionsMax` of them; any position without an event is skipped.
   * For readers that know from elsewhere which events they need.
   */
  readAt(positions: readonly bigint[]): Promise<RecordedEvent[]>;
  /** Position of the last event, or null when the log is empty. */
  headPosition(): Promise<bigint | null>;
  /** Rejects with `EventLogFormatError` if a build with another format created the log. */
  checkFormat(): Promise<void>;
  /**
   * Delivers every event after `after` in position order, then every new one as it is committed, in batches of at least one. Reconnects by itself and
   * resumes after the last delivered event; ends only by `close()` or a non-retryable error.
   */
  subscribeToAll(options: SubscribeOptions): Subscription;
  close(): Promise<void>;
};
