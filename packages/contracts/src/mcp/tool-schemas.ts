import { z } from 'zod';
import { errorBody } from '../errors.ts';
import { collectSchemas, type JsonSchema } from '../http/openapi-schemas.ts';
import type { Route } from '../http/route.ts';
import type { RouteTool, Tool } from './tool.ts';

/** The fields of a page besides its list; headers over HTTP. */
export type Page = { total: number; next_offset: number | null };

export const pageFields: Record<keyof Page, JsonSchema> = {
  total: { type: 'integer', description: 'Number of entries in all pages.' },
  next_offset: {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'The offset of the next page; null on the last.',
  },
};

const fault = z.object({
  loc: z
    .array(z.union([z.string(), z.number()]))
    .describe('Where the fault is: "arguments", then the way to the value.'),
  msg: z.string().describe('What is wrong there, in words.'),
  type: z.string().describe('The kind of fault in a word.'),
});

/** A tool's refusal: the error body of the interface, with faults in arguments, and the Retry-After header. */
export function toolRefusal(codes: readonly string[]) {
  return z
    .object({
      detail: z
        .union([z.string(), z.array(fault)])
        .describe('What is wrong: faults of arguments one by one, anything else in words.'),
      code: z.string().describe(`The stable code, such as ${codes.join(', ')}.`),
      request_id: errorBody.shape.request_id.describe('Finds this call in the logs of the registry.'),
      retry_after_seconds: z.int().optional().describe('When to try again, if that helps.'),
    })
    .describe('A refusal: isError is true.');
}

/** JSON Schema of an object without references, as MCP requires for tools. */
export type ObjectSchema = JsonSchema & { type: 'object' };

/**
 * A tool's arguments: the fields of its route's path, query and body and its extra ones, in one object. The root has no alternatives, which
 * the interfaces of some language models refuse: descriptions explain them.
 */
export function inputSchemaOf(tool: Tool): ObjectSchema {
  if (tool.kind === 'own') return asObject([inputOf(tool.input)], []);
  const { params, query, body } = tool.route;
  const parts = [params, query, body, tool.extra].filter((part) => part !== undefined);
  return asObject(parts.map(inputOf), tool.replaceable ?? []);
}

const fieldsByPart = new WeakMap<z.ZodType, readonly string[]>();

/** Names of the fields of one part of a route's request. */
export function fieldsOf(part: z.ZodType): readonly string[] {
  const fields = fieldsByPart.get(part) ?? Object.keys((inputOf(part)['properties'] ?? {}) as object);
  fieldsByPart.set(part, fields);
  return fields;
}

/** A tool's result: one of its route's good answers, or its refusal. A list is in `result`; the fields of a page are beside it, or in the object that has it. */
export function outputSchemaOf(tool: Tool): ObjectSchema {
  const good = tool.kind === 'own' ? [outputOf(tool.output)] : answersOf(tool);
  return { type: 'object', anyOf: [...good, refusalSchema(tool)] };
}

const answersOf = ({ route }: RouteTool): JsonSchema[] =>
  Object.entries(route.answers).flatMap(([status, { body, description }]) => {
    if (Number(status) >= 300 || body === null) return [];
    const schema: JsonSchema = { description, ...outputOf(body) };
    if (schema['type'] === 'array') return [listSchema(schema, isPaged(route))];
    return [isPaged(route) ? pagedSchema(schema) : schema];
  });

/** Whether the headers of a route describe pages. */
const isPaged = ({ answers }: Route): boolean => answers[200]?.headers?.['X-Total-Count'] !== undefined;

const listSchema = (list: JsonSchema, paged: boolean): JsonSchema => ({
  type: 'object',
  properties: { result: list, ...(paged ? pageFields : {}) },
  required: ['result', ...(paged ? Object.keys(pageFields) : [])],
});

/** An answer that is more than its list. */
const pagedSchema = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...(schema['properties'] as JsonSchema), ...pageFields },
  required: [...((schema['required'] ?? []) as string[]), ...Object.keys(pageFields)],
});

/** The codes that this tool's arguments or caller cause; the OpenAPI document has those that any route may answer. */
const refusalSchema = (tool: Tool): JsonSchema =>
  outputOf(toolRefusal(tool.kind === 'own' ? tool.errors : tool.route.errors));

const asObject = (parts: readonly JsonSchema[], replaceable: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: Object.assign({}, ...parts.map(propertiesOf)) as JsonSchema,
  required: parts
    .flatMap(({ required }) => (required ?? []) as string[])
    .filter((field) => !replaceable.includes(field)),
});

/** An integer of a query is sent as text; the pattern of that text does not describe the integer. */
const propertiesOf = ({ properties = {} }: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, { pattern, ...field }]) => [
      name,
      pattern === undefined || field['type'] === 'integer' ? field : { ...field, pattern },
    ]),
  );

const inputOf = (schema: z.ZodType): JsonSchema => {
  const schemas = collectSchemas();
  return inlined(schemas.ofInput(schema), schemas.components);
};

const outputOf = (schema: z.ZodType): JsonSchema => {
  const schemas = collectSchemas();
  return inlined(schemas.ofOutput(schema), schemas.components);
};

const prefix = '#/components/schemas/';

/**
 * A schema with its references replaced, since not every reader of tools follows references. A description next to a reference stays. No
 * schema of the contracts contains itself.
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
