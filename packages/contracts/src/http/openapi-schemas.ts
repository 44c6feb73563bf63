import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Turns zod schemas into JSON Schema 2020-12, those with an id once, under `components/schemas`. */
export type SchemaCollector = {
  /** What a client may send. */
  ofInput(schema: z.ZodType): JsonSchema;
  /** What the service answers; unlike on input, later versions may add fields. */
  ofOutput(schema: z.ZodType): JsonSchema;
  readonly components: Record<string, JsonSchema>;
  /** Shared examples, for `components/examples`. */
  readonly examples: Record<string, JsonSchema>;
};

export function collectSchemas(): SchemaCollector {
  const components: Record<string, JsonSchema> = {};

  /** If another shape has the name (such as the input form), the direction is added to the name. */
  const place = (name: string, schema: JsonSchema, direction: 'input' | 'output'): string => {
    const sameName = components[name];
    if (sameName === undefined || JSON.stringify(sameName) === JSON.stringify(schema)) {
      components[name] = schema;
      return name;
    }
    const other = `${name}${direction === 'input' ? 'Input' : 'Output'}`;
    components[other] = schema;
    return other;
  };

  const convert = (schema: z.ZodType, direction: 'input' | 'output'): JsonSchema => {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, { io: direction, override: openOnOutput }) as JsonSchema;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      place(name, rewriteReferences(withoutId(definition)) as JsonSchema, direction);
    }
    return rewriteReferences(withoutId(root)) as JsonSchema;
  };

  return {
    ofInput: (schema) => convert(schema, 'input'),
    ofOutput: (schema) => convert(schema, 'output'),
    components,
    examples: {},
  };
}

/** zod closes every object on output; only strict objects stay closed. */
const openOnOutput = ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void => {
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) {
    delete jsonSchema['additionalProperties'];
  }
  const isSafeIntegerBound = (bound: unknown): boolean => Math.abs(bound as number) === Number.MAX_SAFE_INTEGER;
  for (const bound of ['minimum', 'maximum']) if (isSafeIntegerBound(jsonSchema[bound])) delete jsonSchema[bound];
};

const withoutId = (named: JsonSchema): JsonSchema => {
  const { id: _, ...schema } = named;
  return schema;
};

const rewriteReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(rewriteReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string'
        ? item.replace('#/$defs/', '#/components/schemas/')
        : rewriteReferences(item),
    ]),
  );
};
