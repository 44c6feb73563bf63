import { z } from 'zod';

/** One version of an event's shape. The current version is what code sees; older ones are upcast to it on read. */
export type EventDefinition<Type extends string = string, Data extends z.ZodType = z.ZodType> = {
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

export function event<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  version: number,
  shape: Shape,
  upcasters: Record<number, (data: unknown) => unknown> = {},
): EventDefinition<Type, z.ZodObject<Shape>> {
  const schema = z.object(shape);
  return { type, version, schema, event: z.object({ type: z.literal(type), data: schema }), upcasters };
}
