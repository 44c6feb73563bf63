import type { z } from 'zod';
import { errorBody } from '../errors.ts';
import { collectSchemas, type JsonSchema } from '../http/openapi-schemas.ts';
import type { Route } from '../http/route.ts';
import { inlined } from './inlined.ts';
import { pageFields } from './page.ts';
import type { RouteTool, Tool } from './tool.ts';

/** JSON Schema of an object, as MCP wants those of tools: nothing outside of it is referred to. */
export type ObjectSchema = JsonSchema & { type: 'object' };

/**
 * What a tool takes: the fields of its route's path, query and body, and what the tool takes besides, in one object. A field that the tool can do
 * without is not required. No alternatives stand at the root, which some language models' interfaces refuse: descriptions tell of them.
 */
export const inputSchemaOf = (tool: Tool): ObjectSchema => {
  if (tool.kind === 'own') return asObject([inputOf(tool.input)], []);
  const { params, query, body } = tool.route;
  const parts = [params, query, body, tool.extra].filter((part) => part !== undefined);
  return asObject(parts.map(inputOf), tool.replaceable ?? []);
};

/** Names of the fields of one part of a request. */
export const fieldsOf = (part: z.ZodType | undefined): readonly string[] =>
  part === undefined ? [] : Object.keys((inputOf(part)['properties'] ?? {}) as object);

/**
 * What a tool answers: one of the good answers of its route, or its refusal. A list stands in `result`, beside what its headers tell of the page.
 */
export const outputSchemaOf = (tool: Tool): ObjectSchema => {
  const good = tool.kind === 'own' ? [outputOf(tool.output)] : answersOf(tool);
  return { type: 'object', anyOf: [...good, refusalSchema(tool)] };
};

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

/** Every code that may come is in the document; those that the route has of its own are worth telling. */
const refusalSchema = (tool: Tool): JsonSchema => {
  const schema = outputOf(errorBody) as { properties: Record<string, JsonSchema>; required: string[] };
  const codes: readonly string[] = tool.kind === 'own' ? ['validation_failed'] : tool.route.errors;
  return {
    ...schema,
    description: 'A refusal: isError is true.',
    properties: {
      ...schema.properties,
      code: { type: 'string', description: `What was refused, for one: ${codes.join(', ')}.` },
    },
  };
};

const asObject = (parts: readonly JsonSchema[], replaceable: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})) as JsonSchema,
  required: parts
    .flatMap(({ required }) => (required ?? []) as string[])
    .filter((field) => !replaceable.includes(field)),
});

const inputOf = (schema: z.ZodType): JsonSchema => {
  const schemas = collectSchemas();
  return inlined(schemas.ofInput(schema), schemas.components);
};

const outputOf = (schema: z.ZodType): JsonSchema => {
  const schemas = collectSchemas();
  return inlined(schemas.ofOutput(schema), schemas.components);
};
