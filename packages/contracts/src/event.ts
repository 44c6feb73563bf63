import { z } from 'zod';

/** A property of this name holds the id of an agent, in every event and every version of it. */
export type AgentProperty = 'agentId' | `${string}AgentId`;

export function isAgentProperty(name: string): name is AgentProperty {
  return name === 'agentId' || name.endsWith('AgentId');
}

/** What follows from an event, by the names of its data. A service that acts on it reads it here, so a new type needs no other list. */
type Consequences = {
  /** The agents whose entry in the directory it may change. One too many costs a look; one too few is shown as it was. */
  profileOf: readonly AgentProperty[];
  /** The agents of which it may change what they have earned or when they were last active, beside those of `profileOf`. */
  standingOf: readonly AgentProperty[];
  /**
   * What an agent's owner sees of it; nothing where absent. Left out are hashes of keys and tokens, contact details (which may be
   * erased), ids of organisations, and what is only the counterparty's.
   */
  shownToOwner: readonly string[];
};

/** One type of event. The current version is what code sees; older ones are upcast to it on read. */
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

/** The event that a definition, or each of several, is of. */
export type EventOf<Definition extends EventDefinition> = Definition extends EventDefinition
  ? z.infer<Definition['event']>
  : never;

type AgentPropertyOf<Shape> = {
  [Name in keyof Shape & AgentProperty]: Shape[Name] extends z.ZodString ? Name : never;
}[keyof Shape & AgentProperty];

type Options<Shape> = {
  profileOf?: readonly AgentPropertyOf<Shape>[];
  standingOf?: readonly AgentPropertyOf<Shape>[];
  shownToOwner?: readonly (keyof Shape & string)[];
  version?: number;
  upcasters?: EventDefinition['upcasters'];
};

/** Declares a type of event, of version 1 unless said otherwise. */
export function defineEvent<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  { version = 1, upcasters = {}, profileOf = [], standingOf = [], shownToOwner = [] }: Options<Shape> = {},
): EventDefinition<Type, z.ZodObject<Shape>> {
  const schema = z.object(shape);
  const event = z.object({ type: z.literal(type), data: schema });
  return { type, version, schema, event, upcasters, profileOf, standingOf, shownToOwner };
}
