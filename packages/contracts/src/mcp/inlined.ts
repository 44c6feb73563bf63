import type { JsonSchema } from '../http/openapi-schemas.ts';

const prefix = '#/components/schemas/';

/**
 * A schema with what it refers to put in its place, since not everything that reads schemas of tools follows references. What stands beside a
 * reference (a description) stays. The contracts have no schema that holds itself.
 */
export function inlined(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...rest } = value as JsonSchema;
    const beside = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, resolve(member)]));
    if (typeof reference !== 'string') return beside;
    return { ...(resolve(components[reference.slice(prefix.length)]) as JsonSchema), ...beside };
  };
  return resolve(schema) as JsonSchema;
}
