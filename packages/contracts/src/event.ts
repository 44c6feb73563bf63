import { z } from 'zod';

/** A property of this name holds the id of an agent, in every event and every version of it. */
export type AgentProperty = 'agentId' | `${string}AgentId`;

export function isAgentProperty(name: string): name is AgentProperty {
  return name === 'agentId' || name.endsWith('AgentId');
}

type KeyChange<Name extends string = string> = {
  owner: Name & ('agentId' | 'orgId' | 'operatorKeyId');
  keyHashes: readonly Name[];
};

/** The effects of an event, by names of its data. Services derive their lists from this declaration. */
type Consequences = {
  /**
   * The agents whose directory entry it may change; `agentIds` holds several. One too many costs a lookup, also one that is not registered;
   * one too few leaves a stale entry.
   */
  profileOf: readonly (AgentProperty | 'agentIds')[];
  /** The agents whose record or last activity it may change, besides those of `profileOf`. */
  standingOf: readonly (AgentProperty | 'agentIds')[];
  /** Whose keys it changes, and where it has the hashes of new ones; null if it changes none. */
  keysOf: KeyChange | null;
  /**
   * The fields that an agent's owner sees; none if absent. Never hashes of keys and tokens, contact details (which may be erased), ids of
   * organisations, or data of the counterparty alone.
   */
  shownToOwner: readonly string[];
};

/** One type of event. Code sees the current version; older ones are upcast on read. */
export type EventDefinition<Type extends string = string, Data extends z.ZodType = z.ZodType> = Consequences & {
  type: Type;
  /** Current schema version, from 1. A released version never changes; a new shape is a new version with an upcaster. */
  version: number;
  /** Shape of the current version's data. */
  schema: Data;
  /** Shape of `{type, data}`, for `z.infer`. */
  event: z.ZodObject<{ type: z.ZodLiteral<Type>; data: Data }>;
  /** Turns data of version `n` into version `n + 1`, for every released `n` below `version`. */
  upcasters: Record<number, (data: unknown) => unknown>;
};

/** The event of a definition, or of each of several. */
export type EventOf<Definition extends EventDefinition> = Definition extends EventDefinition
  ? z.infer<Definition['event']>
  : never;

type AgentPropertyOf<Shape> = {
  [Name in keyof Shape & AgentProperty]: Shape[Name] extends z.ZodString ? Name : never;
}[keyof Shape & AgentProperty];

type AgentListOf<Shape> = Shape extends { agentIds: z.ZodArray<z.ZodString> } ? 'agentIds' : never;

type Options<Shape> = {
  profileOf?: readonly (AgentPropertyOf<Shape> | AgentListOf<Shape>)[];
  standingOf?: readonly (AgentPropertyOf<Shape> | AgentListOf<Shape>)[];
  keysOf?: KeyChange<keyof Shape & string>;
  shownToOwner?: readonly (keyof Shape & string)[];
  version?: number;
  upcasters?: EventDefinition['upcasters'];
};

/** Declares a type of event, of version 1 unless said otherwise. */
export function defineEvent<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  { version = 1, upcasters = {}, profileOf = [], standingOf = [], keysOf, shownToOwner = [] }: Options<Shape> = {},
): EventDefinition<Type, z.ZodObject<Shape>> {
  const schema = z.object(shape);
  const event = z.object({ type: z.literal(type), data: schema });
  return { type, version, schema, event, upcasters, profileOf, standingOf, keysOf: keysOf ?? null, shownToOwner };
}
