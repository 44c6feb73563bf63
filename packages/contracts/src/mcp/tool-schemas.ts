import { z } from 'zod';
import { errorBody } from '../errors.ts';
import { collectSchemas, type JsonSchema } from '../http/openapi-schemas.ts';
import type { Route } from '../http/route.ts';
import type { RouteTool, Tool } from './tool.ts';

/** What stands beside one page of a list: over HTTP its headers tell it. */
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

/** How a tool refuses: an error body of the interface, whose faults lie in arguments, and what its header says of when to come again. */
export function toolRefusal(codes: readonly string[]) {
  return z
    .object({
      detail: z
        .union([z.string(), z.array(fault)])
        .describe('What is wrong: faults of arguments one by one, anything else in words.'),
      code: z.string().describe(`Why, in a word to switch on; of these, for one: ${codes.join(', ')}.`),
      request_id: errorBody.shape.request_id.describe('Finds this call in the logs of the registry.'),
      retry_after_seconds: z.int().optional().describe('When to try again, where that helps.'),
    })
    .describe('A refusal: isError is true.');
}

/** JSON Schema of an object, as MCP wants those of tools: nothing outside of it is referred to. */
export type ObjectSchema = JsonSchema & { type: 'object' };

/**
 * What a tool takes: the fields of its route's path, query and body, and what the tool takes besides, in one object. A field that the tool can do
 * without is not required. No alternatives stand at the root, which some language models' interfaces refuse: descriptions tell of them.
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

/**
 * What a tool answers: one of the good answers of its route, or its refusal. A list stands in `result`, beside what its headers tell of the page.
 */
export function outputSchemaOf(tool: Tool): ObjectSchema {
  const good = tool.kind === 'own' ? [outputOf(tool.output)] : answersOf(tool);
  return { type: 'object', anyOf: [...good, refusalSchema(tool)] };
}

const answersOf = ({ route }: RouteTool): JsonSchema[] =>
  Object.entries(route.answers).flatMap(([status, { body, description }]) => {
    if (Number(status) >= 300 || body === null) return [];
    const schema: JsonSchema = { description, ...outputOf(body) };
    return [schema['type'] === 'array' ? listSchema(schema, isPaged(route)) : schema];
  });

/** Whether a route's list comes in pages, of which its headers tell. */
const isPaged = ({ answers }: Route): boolean => answers[200]?.headers?.['X-Total-Count'] !== undefined;

const listSchema = (list: JsonSchema, paged: boolean): JsonSchema => ({
  type: 'object',
  properties: { result: list, ...(paged ? pageFields : {}) },
  required: ['result', ...(paged ? Object.keys(pageFields) : [])],
});

/** Codes that any route may answer are told by the OpenAPI document; here are those that this tool's arguments or caller lead to. */
const refusalSchema = (tool: Tool): JsonSchema =>
  outputOf(toolRefusal(tool.kind === 'own' ? tool.errors : tool.route.errors));

const asObject = (parts: readonly JsonSchema[], replaceable: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: Object.assign({}, ...parts.map(propertiesOf)) as JsonSchema,
  required: parts
    .flatMap(({ required }) => (required ?? []) as string[])
    .filter((field) => !replaceable.includes(field)),
});

/** An integer of a query is text on its way; what text that is describes no integer. */
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
