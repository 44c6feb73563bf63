import { backoffMs, pause } from './backoff.ts';
import type { Decider, DomainEvent } from './decider.ts';
import { EventLogTimeoutError, EventLogUnavailableError, WrongExpectedRevisionError } from './errors.ts';
import { eventLogLimits } from './limits.ts';
import type { AppendResult, EventLog, EventMetadata, ExpectedRevision, NewEvent, RecordedEvent } from './port.ts';
import type { EventRegistry } from './schema-registry.ts';

export type HandleCommandInput<Command, State, Event extends DomainEvent<string, object>> = {
  log: EventLog;
  registry: EventRegistry<Event>;
  decider: Decider<Command, State, Event>;
  stream: string;
  command: Command;
  /** Goes with every event that is decided; `schemaVersion` is added. */
  metadata: EventMetadata;
  newEventId: () => string;
  /** For the whole command, conflicts and retries included; default `commandDeadlineMs`. */
  deadlineMs?: number;
};

export type HandledCommand<State, Event> = {
  /** The events that were decided and are now in the log; empty when there was nothing to do. */
  events: Event[];
  /** Last revision of the stream, 'no_stream' when it still has no events. */
  revision: bigint | 'no_stream';
  /** Log position of the stream's last event: a read model that has reached it shows this state. Null for a stream without events. */
  position: bigint | null;
  /** The state with `events` in it. */
  state: State;
};

/**
 * Reads a stream, folds it, decides and appends, expecting the revision it has read.
 *
 * When another writer was faster it reads and decides again, at most `commandConflictRetriesMax` times; then `WrongExpectedRevisionError` goes to the
 * caller. An append whose outcome is unknown is repeated with the same event ids, at most `commandAppendRetriesMax` times and within the deadline; then
 * `EventLogTimeoutError` or `EventLogUnavailableError` goes to the caller. What `decide` throws goes to the caller as it is.
 */
export const handleCommand = async <Command, State, Event extends DomainEvent<string, object>>(
  input: HandleCommandInput<Command, State, Event>,
): Promise<HandledCommand<State, Event>> => {
  const deadlineAt = Date.now() + (input.deadlineMs ?? eventLogLimits.commandDeadlineMs);
  for (let conflicts = 0; ; conflicts++) {
    const recorded = await readWithin(input, deadlineAt);
    const state = fold(input, recorded);
    const last = recorded.at(-1);
    const events = input.decider.decide(input.command, state);
    if (events.length === 0)
      return { events, revision: last?.revision ?? 'no_stream', position: last?.position ?? null, state };
    try {
      const result = await appendSurely(input, events, last?.revision ?? 'no_stream', deadlineAt);
      return { events, ...result, state: events.reduce((next, event) => input.decider.evolve(next, event), state) };
    } catch (error) {
      const worthAnother = conflicts < eventLogLimits.commandConflictRetriesMax && Date.now() < deadlineAt;
      if (!(error instanceof WrongExpectedRevisionError) || !worthAnother) throw error;
    }
    // The first retry goes at once; a crowd on one stream is spread out.
    if (conflicts > 0) await pause(backoffMs(conflicts - 1, eventLogLimits.commandConflictDelayMaxMs), never);
  }
};

const never = new AbortController().signal;

/** A read has a deadline of its own, which may be longer than the command's; nobody waits for the answer then. */
const readWithin = async (
  { log, stream }: { log: EventLog; stream: string },
  deadlineAt: number,
): Promise<RecordedEvent[]> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        new EventLogUnavailableError(`Reading stream ${JSON.stringify(stream)} took longer than its command may take.`),
      ),
    Math.max(1, deadlineAt - Date.now()),
  );
  try {
    return await Promise.race([log.readStream(stream), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

const fold = <Command, State, Event extends DomainEvent<string, object>>(
  { registry, decider }: HandleCommandInput<Command, State, Event>,
  recorded: readonly RecordedEvent[],
): State => recorded.reduce((state, event) => decider.evolve(state, registry.decodeKnown(event)), decider.initialState);

const appendSurely = async <Command, State, Event extends DomainEvent<string, object>>(
  { log, registry, stream, metadata, newEventId }: HandleCommandInput<Command, State, Event>,
  events: readonly Event[],
  expectedRevision: ExpectedRevision,
  deadlineAt: number,
): Promise<AppendResult> => {
  // Made once: the ids are what makes a repetition harmless.
  const newEvents: NewEvent[] = events.map((event) => {
    const { type, data, schemaVersion } = registry.encode(event);
    return { eventId: newEventId(), type, data, metadata: { ...metadata, schemaVersion } };
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
      const wait = backoffMs(retries);
      if (Date.now() + wait >= deadlineAt) throw error;
      await pause(wait, never);
    }
  }
};
