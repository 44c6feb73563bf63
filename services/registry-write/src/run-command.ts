import { type Actor, DomainError } from '@agent-trust/contracts';
import type { Decider } from '@agent-trust/domain';
import {
  type DomainEvent,
  type EventLog,
  type EventMetadata,
  type EventRegistry,
  eventLogLimits,
  findHandled,
  type HandledCommand,
  handleCommand,
  readStream,
  type StreamRead,
} from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import type { CommandDeps } from './command-deps.ts';

/** A command under way: one moment, one set of metadata and one deadline for everything that it writes. */
export type RunningCommand = {
  /** RFC 3339 with milliseconds. */
  now: string;
  metadata: EventMetadata;
  remainingMs: () => number;
};

/** A kind of stream: its rules and the shapes of its events. */
export type StreamKind<Command, State, Event extends DomainEvent<string, object>> = {
  decider: Decider<Command, State, Event>;
  registry: EventRegistry<Event>;
};

export function beginCommand(deps: CommandDeps, actor: Actor, context: CallContext): RunningCommand {
  return {
    now: deps.now().toISOString(),
    metadata: {
      correlationId: context.correlationId,
      // Commands have no id of their own on the bus; this one ties together what one command wrote to several streams.
      causationId: deps.newId(),
      actor,
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    },
    // The caller's deadline, so that nothing is written for somebody who has been told that it failed.
    remainingMs: () => Math.min(context.remainingMs(), eventLogLimits.commandDeadlineMs),
  };
}

/** What is known of a command beside itself: its id, see `onceOnly`, and what was decided already; see `handleCommand`. */
type Known<State, Event> = { commandId?: string | null; decided?: { read: StreamRead<State>; events: Event[] } };

/**
 * Reads, folds, decides and appends; see `handleCommand`. `commandId` goes with the one append that makes the command done, never with
 * those that prepare it.
 */
export function runCommand<Command, State, Event extends DomainEvent<string, object>>(
  deps: CommandDeps,
  running: RunningCommand,
  kind: StreamKind<Command, State, Event>,
  stream: string,
  command: Command,
  { commandId = null, decided }: Known<State, Event> = {},
): Promise<HandledCommand<State, Event>> {
  return handleCommand({
    log: deps.log,
    ...kind,
    stream,
    command,
    metadata: running.metadata,
    newEventId: deps.newId,
    commandId,
    deadlineMs: running.remainingMs(),
    decided,
  });
}

/**
 * Reads a command's stream and carries the command out, unless it was given before: when its last append, the one that goes with
 * `commandId`, is in the stream, that is its outcome, and none of its rules is asked again. The rules would meet what the command itself
 * has done: an agent_id that is taken, by the same registration. Null is a command that is given once.
 */
export async function onceOnly<Command, State, Event extends DomainEvent<string, object>, Result>(
  deps: CommandDeps,
  commandId: string | null,
  kind: StreamKind<Command, State, Event>,
  stream: string,
  answer: (handled: HandledCommand<State, Event>) => Result | Promise<Result>,
  carryOut: (read: StreamRead<State>) => Promise<Result>,
): Promise<Result> {
  const read = await readStream({ log: deps.log, ...kind, stream });
  if (commandId === null) return carryOut(read);
  const found = { log: deps.log, ...kind, stream, commandId };
  const earlier = findHandled({ ...found, read });
  if (earlier !== null) return answer(earlier);
  try {
    return await carryOut(read);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The first attempt, slower than the patience of whoever gave the command, may have ended since, and be what this one met.
    const late = findHandled({ ...found, read: await readStream(found) });
    if (late === null) throw error;
    return answer(late);
  }
}

/** The state that a stream's events have led to by now. */
export async function readState<Command, State, Event extends DomainEvent<string, object>>(
  log: EventLog,
  kind: StreamKind<Command, State, Event>,
  stream: string,
): Promise<State> {
  return (await readStream({ log, ...kind, stream })).state;
}

/** The log position of what a command wrote, as it goes into the answer. */
export function writtenPosition({ position }: { position: bigint | null }): string {
  if (position === null) throw new Error('a command that always writes has written nothing');
  return position.toString();
}
