import { type Actor, type CommandIds, DomainError, idsToFind, type UnaryMethodsOf } from '@agent-trust/contracts';
import type { Decider } from '@agent-trust/domain';
import {
  type DomainEvent,
  type EventLog,
  eventLogLimits,
  type EventMetadata,
  type EventRegistry,
  findHandled,
  handleCommand,
  type HandledCommand,
  readStream,
  type KnownStream,
  type StreamRead,
} from '@agent-trust/event-log';
import type { CallContext, Received, Rpc, Sent, UnaryMethod, UnaryServers } from '@agent-trust/nats-rpc';
import type { KeyStore } from '@agent-trust/personal-data';
import type { KnownStreams } from './known-streams.ts';
import { writeLimits } from './limits.ts';
import type { SeedTaxonomy } from './seed-taxonomy.ts';

/** Dependencies of the command handlers. */
export type CommandDeps = {
  log: EventLog;
  /** For queries to trust-projection. */
  rpc: Pick<Rpc, 'request'>;
  known: KnownStreams;
  /** Resolves the names of the seed taxonomy. */
  seed: SeedTaxonomy;
  /** Keys of the sealed contacts and answers to reviews. */
  contactKeys: KeyStore;
  now: () => Date;
  newId: () => string;
  /** Lifetime of a claim token; 0 means for ever. */
  claimTtlSeconds: number;
};

export type CommandHandlers = UnaryServers<UnaryMethodsOf<'registry-write'>>;

/** A command under way: one time, one set of metadata and one deadline for all its writes. */
export type RunningCommand = {
  /** RFC 3339 with milliseconds. */
  now: string;
  metadata: EventMetadata;
  remainingMs: () => number;
};

/** A kind of stream: its rules and the schemas of its events. */
type StreamKind<Command, State, Event extends DomainEvent<string, object>> = {
  decider: Decider<Command, State, Event>;
  registry: EventRegistry<Event>;
};

export function beginCommand(deps: CommandDeps, actor: Actor, context: CallContext): RunningCommand {
  return {
    now: deps.now().toISOString(),
    metadata: {
      correlationId: context.correlationId,
      // Commands have no id of their own on the bus; this one links the events of one command in several streams.
      causationId: deps.newId(),
      actor,
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    },
    // The caller's deadline: nothing is written after the caller has given up.
    remainingMs: () => Math.min(context.remainingMs(), eventLogLimits.commandDeadlineMs),
  };
}

/** `commandId` belongs to the append that completes the command, never to those that prepare it; see `onceOnly`, `handleCommand`. */
type Before<State, Event> = {
  commandId?: string | null;
  decided?: Decided<State, Event> | undefined;
  /** Whether another command may write to the stream after this one; default true. */
  goesOn?: boolean;
};
type Decided<State, Event> = { on: KnownStream<State>; events: Event[] };

/** Decides on what is known of the stream, else reads it; appends. See `handleCommand`. */
export async function runCommand<Command, State, Event extends DomainEvent<string, object>>(
  deps: CommandDeps,
  running: RunningCommand,
  kind: StreamKind<Command, State, Event>,
  stream: string,
  command: Command,
  { commandId = null, decided, goesOn = true }: Before<State, Event> = {},
): Promise<HandledCommand<State, Event>> {
  const handled = await handleCommand({
    log: deps.log,
    ...kind,
    stream,
    command,
    metadata: running.metadata,
    newEventId: deps.newId,
    commandId,
    deadlineMs: running.remainingMs(),
    decided: decided ?? (commandId === null ? decidedOnKnown(deps, kind, stream, command) : undefined),
  });
  if (goesOn) deps.known.set(stream, handled);
  return handled;
}

/** Undefined if the stream is not known, and if it would be refused or write nothing as it is known: only the log can say so. */
const decidedOnKnown = <Command, State, Event extends DomainEvent<string, object>>(
  { known }: CommandDeps,
  { decider }: StreamKind<Command, State, Event>,
  stream: string,
  command: Command,
): Decided<State, Event> | undefined => {
  const on = known.get<State>(stream);
  if (on === null) return undefined;
  try {
    const events = decider.decide(command, on.state);
    return events.length === 0 ? undefined : { on, events };
  } catch {
    return undefined;
  }
};

/** Runs a command that only writes to one stream, and always writes. */
export async function runSingle<Command, State, Event extends DomainEvent<string, object>>(
  deps: CommandDeps,
  { actor, context }: { actor: Actor; context: CallContext },
  kind: StreamKind<Command, State, Event>,
  stream: string,
  commandAt: (now: string) => Command,
): Promise<{ state: State; events: Event[]; now: string; position: string }> {
  const running = beginCommand(deps, actor, context);
  const written = await runCommand(deps, running, kind, stream, commandAt(running.now));
  return { state: written.state, events: written.events, now: running.now, position: writtenPosition(written) };
}

/**
 * Reads a command's stream and runs the command, unless it was run before: if its last append, the one with one of its ids, is in the
 * stream, the answer comes from there and no rule is checked again. The rules would refuse a repetition because of what the command itself
 * has done, such as an agent_id that is taken. Without ids the command is never repeated.
 */
export async function onceOnly<Command, State, Event extends DomainEvent<string, object>, Result>(
  deps: CommandDeps,
  ids: CommandIds,
  kind: StreamKind<Command, State, Event>,
  stream: string,
  answer: (handled: HandledCommand<State, Event>) => Result | Promise<Result>,
  run: (read: StreamRead<State>) => Promise<Result>,
): Promise<Result> {
  const read = await readStream({ log: deps.log, ...kind, stream });
  if (ids.commandId === null) return run(read);
  const where = { log: deps.log, ...kind, stream };
  const earlierIn = (found: StreamRead<State>): HandledCommand<State, Event> | null => {
    const outcomes = idsToFind(ids, deps.now()).map((id) => findHandled({ ...where, ...id, read: found }));
    return outcomes.find((outcome) => outcome !== null) ?? null;
  };
  const earlier = earlierIn(read);
  if (earlier !== null) return answer(earlier);
  try {
    return await run(read);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // A slow first attempt may have ended since, and be the reason of this refusal.
    const late = earlierIn(await readStream(where));
    if (late === null) throw error;
    return answer(late);
  }
}

/**
 * Runs a command on what is known of its streams without reading them; null if that is too little. What the command writes was decided on
 * the right state if the expected revision is. A refusal is not checked that way, so before one is said, the command runs again on the log.
 * `known` has no effect before it refuses, and gives no answer without a write that it has not checked.
 */
export async function decidedOrChecked<Result>(
  known: (() => Promise<Result>) | null,
  read: () => Promise<Result>,
): Promise<Result> {
  if (known === null) return read();
  try {
    return await known();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return read();
  }
}

/** The present state of a stream. */
export async function readState<Command, State, Event extends DomainEvent<string, object>>(
  log: EventLog,
  kind: StreamKind<Command, State, Event>,
  stream: string,
): Promise<State> {
  return (await readStream({ log, ...kind, stream })).state;
}

/** The log position of a command's events, for its answer. */
export function writtenPosition({ position }: { position: bigint | null }): string {
  if (position === null) throw new Error('a command that always writes has written nothing');
  return position.toString();
}

/** Queries trust-projection within the command's deadline. Rejects with an RpcError, which `toRefusal` maps. */
export function askProjection<Method extends UnaryMethod>(
  { rpc }: Pick<CommandDeps, 'rpc'>,
  { metadata: { correlationId, actor, traceparent }, remainingMs }: RunningCommand,
  method: Method,
  input: Sent<Method['input']>,
): Promise<Received<Method['output']>> {
  const timeoutMs = Math.min(writeLimits.queryTimeoutMs, remainingMs());
  return rpc.request(method, input, { correlationId, actor, traceparent, timeoutMs });
}
