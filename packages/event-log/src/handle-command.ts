import { backoffMs, pause, withDeadline } from '@agent-trust/limits';
import { eventIdOfCommand } from './command-event-id.ts';
import type { Decider, DomainEvent, EventRegistry } from './schema-registry.ts';
import { EventLogTimeoutError, EventLogUnavailableError, WrongExpectedRevisionError } from './errors.ts';
import { eventLogLimits } from './limits.ts';
import type { AppendResult, EventLog, EventMetadata, ExpectedRevision, NewEvent, RecordedEvent } from './port.ts';

export type HandleCommandInput<Command, State, Event extends DomainEvent<string, object>> = {
  log: EventLog;
  registry: EventRegistry<Event>;
  decider: Decider<Command, State, Event>;
  stream: string;
  command: Command;
  /** Goes with every event that is decided; `schemaVersion` is added. */
  metadata: EventMetadata;
  newEventId: () => string;
  /**
   * Names the command, for one that may be given again: the ids of its events come from this id instead of `newEventId`, and a stream that
   * holds the first of them has seen the command before. A UUID.
   */
  commandId?: string | null;
  /** For the whole command, conflicts and retries included; default `commandDeadlineMs`. */
  deadlineMs?: number;
  /**
   * What is known or assumed of the stream, and the events decided on it: appended without a read. If the stream is elsewhere, it is read
   * and decided on as usual; also if there are no events, since only the log can say that nothing is left to do.
   */
  decided?: { on: KnownStream<State>; events: Event[] } | undefined;
};

/** A stream's state and where it ends: its last revision, and the log position of its last event, null if there is none or it is not known. */
export type KnownStream<State> = { state: State; revision: bigint | 'no_stream'; position: bigint | null };

/** A stream as it was read. */
export type StreamRead<State> = KnownStream<State> & { recorded: readonly RecordedEvent[] };

/** A stream that has no events, as a new id's is assumed to be. */
export function emptyStream<State>({ initialState }: { initialState: State }): KnownStream<State> {
  return { state: initialState, revision: 'no_stream', position: null };
}

/** Reads a stream and folds it. */
export async function readStream<Command, State, Event extends DomainEvent<string, object>>(
  input: Pick<HandleCommandInput<Command, State, Event>, 'log' | 'registry' | 'decider' | 'stream'>,
): Promise<StreamRead<State>> {
  return readOf(input, await input.log.readStream(input.stream));
}

export type HandledCommand<State, Event> = {
  /** The events of the command in the log, from this or an earlier attempt; empty if there was nothing to do. */
  events: Event[];
  /** Last revision of the stream, 'no_stream' when it still has no events. */
  revision: bigint | 'no_stream';
  /** Log position of the stream's last event: a read model that has reached it shows this state. Null for a stream without events. */
  position: bigint | null;
  /** The state after `events` and any later events. */
  state: State;
};

/**
 * Reads a stream, folds it, decides and appends, expecting the revision it has read.
 *
 * When another writer was faster it reads and decides again, at most `commandConflictRetriesMax` times; then `WrongExpectedRevisionError` goes to the
 * caller. An append whose outcome is unknown is repeated with the same event ids, at most `commandAppendRetriesMax` times and within the deadline; then
 * `EventLogTimeoutError` or `EventLogUnavailableError` goes to the caller. What `decide` throws goes to the caller as it is.
 *
 * With a `commandId` nothing is decided when the stream holds the command's events: it was carried out before, and this is its outcome.
 */
export async function handleCommand<Command, State, Event extends DomainEvent<string, object>>(
  input: HandleCommandInput<Command, State, Event>,
): Promise<HandledCommand<State, Event>> {
  const deadlineAt = Date.now() + (input.deadlineMs ?? eventLogLimits.commandDeadlineMs);
  const before = input.decided?.events.length === 0 ? undefined : input.decided;
  // What was known before may be outdated: that it is counts as no conflict.
  for (let conflicts = before === undefined ? 0 : -1; ; conflicts++) {
    const decided = (conflicts === -1 ? before : undefined) ?? (await decideOnRead(input, deadlineAt));
    if ('earlier' in decided) return decided.earlier;
    const { on, events } = decided;
    const { state, revision, position } = on;
    if (events.length === 0) return { events, revision, position, state };
    try {
      const result = await appendSurely(input, events, revision, deadlineAt);
      return { events, ...result, state: events.reduce((next, event) => input.decider.evolve(next, event), state) };
    } catch (error) {
      const worthAnother = conflicts < eventLogLimits.commandConflictRetriesMax && Date.now() < deadlineAt;
      if (!(error instanceof WrongExpectedRevisionError) || !worthAnother) throw error;
    }
    // The first retry goes at once; a crowd on one stream is spread out.
    if (conflicts > 0) await pause(backoffMs(conflicts - 1, eventLogLimits.commandConflictBackoff));
  }
}

const decideOnRead = async <Command, State, Event extends DomainEvent<string, object>>(
  input: HandleCommandInput<Command, State, Event>,
  deadlineAt: number,
): Promise<{ on: KnownStream<State>; events: Event[] } | { earlier: HandledCommand<State, Event> }> => {
  const recorded = await readWithin(input, deadlineAt);
  const earlier = earlierOutcome(input, recorded);
  if (earlier !== null) return { earlier };
  const on = readOf(input, recorded);
  return { on, events: input.decider.decide(input.command, on.state) };
};

export type FindHandledInput<Command, State, Event extends DomainEvent<string, object>> = Pick<
  HandleCommandInput<Command, State, Event>,
  'log' | 'registry' | 'decider' | 'stream'
> & {
  commandId: string;
  /** Events recorded before do not count. */
  since?: Date;
  read: StreamRead<State>;
};

/** The outcome of a command that was carried out before, in a stream that was read; null for one that has left no event there since. */
export function findHandled<Command, State, Event extends DomainEvent<string, object>>(
  input: FindHandledInput<Command, State, Event>,
): HandledCommand<State, Event> | null {
  const { since } = input;
  const counts = ({ recordedAt }: RecordedEvent): boolean => since === undefined || recordedAt >= since;
  return earlierOutcome(input, input.read.recorded, counts);
}

/** The events of one append stand together, and their ids count on from the first. */
const earlierOutcome = <Command, State, Event extends DomainEvent<string, object>>(
  input: Omit<FindHandledInput<Command, State, Event>, 'log' | 'commandId' | 'since' | 'read'> & {
    commandId?: string | null;
  },
  recorded: readonly RecordedEvent[],
  counts: (event: RecordedEvent) => boolean = () => true,
): HandledCommand<State, Event> | null => {
  const { commandId, stream, registry } = input;
  const last = recorded.at(-1);
  if (commandId == null || last === undefined) return null;
  const firstId = eventIdOfCommand(commandId, stream, 0);
  const first = recorded.findIndex((event) => event.eventId === firstId && counts(event));
  if (first === -1) return null;
  let end = first + 1;
  while (recorded[end]?.eventId === eventIdOfCommand(commandId, stream, end - first)) end += 1;
  return {
    events: recorded.slice(first, end).map((event) => registry.decodeKnown(event)),
    revision: last.revision,
    position: last.position,
    state: fold(input, recorded),
  };
};

/** A read has a deadline of its own, which may be longer than the command's. */
const readWithin = ({ log, stream }: { log: EventLog; stream: string }, deadlineAt: number): Promise<RecordedEvent[]> =>
  withDeadline(
    log.readStream(stream),
    Math.max(1, deadlineAt - Date.now()),
    () =>
      new EventLogUnavailableError(`Reading stream ${JSON.stringify(stream)} took longer than its command may take.`),
  );

const readOf = <Command, State, Event extends DomainEvent<string, object>>(
  kind: Pick<HandleCommandInput<Command, State, Event>, 'registry' | 'decider'>,
  recorded: readonly RecordedEvent[],
): StreamRead<State> => {
  const last = recorded.at(-1);
  const revision = last?.revision ?? 'no_stream';
  return { recorded, state: fold(kind, recorded), revision, position: last?.position ?? null };
};

const fold = <Command, State, Event extends DomainEvent<string, object>>(
  { registry, decider }: Pick<HandleCommandInput<Command, State, Event>, 'registry' | 'decider'>,
  recorded: readonly RecordedEvent[],
): State => recorded.reduce((state, event) => decider.evolve(state, registry.decodeKnown(event)), decider.initialState);

const appendSurely = async <Command, State, Event extends DomainEvent<string, object>>(
  { log, registry, stream, metadata, newEventId, commandId }: HandleCommandInput<Command, State, Event>,
  events: readonly Event[],
  expectedRevision: ExpectedRevision,
  deadlineAt: number,
): Promise<AppendResult> => {
  // Made once: the ids are what makes a repetition harmless.
  const newEvents: NewEvent[] = events.map((event, index) => {
    const { type, data, schemaVersion } = registry.encode(event);
    const eventId = commandId == null ? newEventId() : eventIdOfCommand(commandId, stream, index);
    return { eventId, type, data, metadata: { ...metadata, schemaVersion } };
  });
  for (let retries = 0; ; retries++) {
    try {
      return await log.append(stream, newEvents, {
        expectedRevision,
        deadlineMs: Math.max(1, deadlineAt - Date.now()),
      });
    } catch (error) {
      const mayPass = error instanceof EventLogTimeoutError || error instanceof EventLogUnavailableError;
      if (!mayPass || retries >= eventLogLimits.commandAppendRetriesMax) throw error;
      const wait = backoffMs(retries, eventLogLimits.reconnectBackoff);
      if (Date.now() + wait >= deadlineAt) throw error;
      await pause(wait);
    }
  }
};
