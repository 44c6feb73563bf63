import type { EventMetadata, JsonObject } from './port.ts';
import { EventLogError } from './errors.ts';

/** An event in terms of the domain; the command handler adds ids and metadata. */
export type DomainEvent<Type extends string = string, Data extends object = JsonObject> = { type: Type; data: Data };

/** The rules of one kind of stream, pure: no I/O, clock or randomness. */
export type Decider<Command, State, Event extends DomainEvent<string, object>> = {
  initialState: State;
  /** The state after one more event. */
  evolve(state: State, event: Event): State;
  /** The events that the command causes in this state, none if nothing is left to do; throws if a rule refuses the command. */
  decide(command: Command, state: State): Event[];
};

/**
 * One event type: its current version and the way from each older version to the next. A structural type, so that definitions of events need no
 * import from here.
 */
export type EventDefinition = {
  type: string;
  /** Current schema version, from 1. A released version never changes. */
  version: number;
  /** Shape of the current version's data; `parse` throws on anything else. It must not transform: its result is stored. */
  schema: { parse(input: unknown): unknown };
  /** `upcasters[n]` turns data of version n into version n + 1. */
  upcasters?: Readonly<Record<number, (data: unknown) => unknown>>;
};

/** The event type of a definition, in its current version. */
type DefinedBy<Definition extends EventDefinition> = Definition extends EventDefinition
  ? { type: Definition['type']; data: ReturnType<Definition['schema']['parse']> & object }
  : never;

type Stored = { type: string; data: JsonObject; metadata: EventMetadata };

export type EventRegistry<Event extends DomainEvent<string, object> = DomainEvent<string, object>> = {
  definitions: ReadonlyMap<string, EventDefinition>;
  /** The event in stored form: validated, with its schema version for the metadata. Throws `EventSchemaError`. */
  encode(event: DomainEvent<string, object>): { type: string; data: JsonObject; schemaVersion: number };
  /**
   * A stored event in its current shape. An unknown type or version is an `EventSchemaError`, as are data that break their schema: nothing may be
   * decided or computed from an incomplete history.
   */
  decodeKnown(stored: Stored): Event;
};

/** An event whose data does not match its type and version, or whose type or version is unknown to this code. */
export class EventSchemaError extends EventLogError {
  override readonly name = 'EventSchemaError';
  override readonly code = 'event_schema';
}

const newerWroteIt =
  'A newer one wrote it: run that version, or a later one (docs/upgrades.md says how far back an older one may be put in its place).';

/** Makes a registry; throws if a type is defined twice or an upcaster is missing. */
export function createEventRegistry<const Definition extends EventDefinition>(
  list: readonly Definition[],
): EventRegistry<DefinedBy<Definition>> {
  const definitions = new Map<string, EventDefinition>();
  for (const definition of list) {
    if (definitions.has(definition.type)) throw new EventSchemaError(`Event type ${definition.type} is defined twice.`);
    for (let version = 1; version < definition.version; version++) {
      if (definition.upcasters?.[version] === undefined) {
        throw new EventSchemaError(
          `Event type ${definition.type} has no upcaster from version ${version} to ${version + 1}.`,
        );
      }
    }
    definitions.set(definition.type, definition);
  }
  return {
    definitions,
    encode: ({ type, data }) => {
      const definition = definitions.get(type);
      if (definition === undefined) throw new EventSchemaError(`Event type ${type} is not registered.`);
      return { type, data: parse(definition, data, 'to be stored') as JsonObject, schemaVersion: definition.version };
    },
    decodeKnown: (stored) => {
      const definition = definitions.get(stored.type);
      if (definition === undefined)
        throw new EventSchemaError(
          `Event type ${stored.type} is not known to this version of the registry. ${newerWroteIt}`,
        );
      // The type as the code's own string: comparing it in a `switch` then compares no characters.
      return { type: definition.type, data: decodeData(definition, stored) } as DefinedBy<Definition>;
    },
  };
}

const decodeData = (definition: EventDefinition, { data, metadata }: Stored): unknown => {
  const stored = metadata.schemaVersion ?? 1;
  if (stored > definition.version) {
    throw new EventSchemaError(
      `Event ${definition.type} has schema version ${stored}; this version of the registry knows up to ${definition.version}. ${newerWroteIt}`,
    );
  }
  let current: unknown = data;
  for (let version = stored; version < definition.version; version++)
    current = definition.upcasters?.[version]?.(current);
  return parse(definition, current, `of schema version ${stored}`);
};

const parse = (definition: EventDefinition, data: unknown, which: string): unknown => {
  try {
    return definition.schema.parse(data);
  } catch (cause) {
    throw new EventSchemaError(
      `Event ${definition.type} ${which} does not have the shape of version ${definition.version}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
};
