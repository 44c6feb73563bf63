import type { z } from 'zod';
import { type ErrorCode, errorBody, httpStatusOfError } from '../errors.ts';
import { limits } from '../limits.ts';
import { collectSchemas, type JsonSchema, type SchemaCollector } from './openapi-schemas.ts';
import type { Route, RouteAnswer } from './route.ts';
import { securityRequirement, securitySchemes } from './security-schemes.ts';

export type OpenApiDocument = { openapi: '3.1.0'; [key: string]: unknown };

/**
 * The OpenAPI 3.1 document of the given routes: every request, answer, header, credential and error code, made from what the gateway
 * parses with. Pure: the same routes and address give the same document.
 */
export const buildOpenApi = (
  routes: readonly Route[],
  about: { baseUrl: string; title: string; version: string; description: string },
): OpenApiDocument => {
  const schemas = collectSchemas();
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components, securitySchemes },
  };
};

const operation = (route: Route, schemas: SchemaCollector): JsonSchema => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  tags: [route.tag],
  security: route.credentials.map(securityRequirement),
  parameters: parameters(route, schemas),
  ...(route.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          description: `At most ${route.bodyBytesMax ?? limits.bodyBytesMax} bytes.`,
          content: { 'application/json': { schema: schemas.ofInput(route.body) } },
        },
      }),
  responses: {
    ...Object.fromEntries(Object.entries(route.answers).map(([status, answer]) => [status, response(answer, schemas)])),
    ...errorResponses(route, schemas),
  },
});

const parameters = (route: Route, schemas: SchemaCollector): JsonSchema[] => [
  ...fields(route.params, 'path', schemas),
  ...fields(route.query, 'query', schemas),
  ...Object.entries({ ...route.headers, ...requestIdHeader })
    // A header that carries a credential is described as a security scheme.
    .filter(([name]) => !(name === 'X-API-KEY' && route.credentials.includes('organisation')))
    .map(([name, description]) => ({ name, in: 'header', required: false, description, schema: { type: 'string' } })),
];

const fields = (schema: z.ZodType | undefined, place: 'path' | 'query', schemas: SchemaCollector): JsonSchema[] => {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.ofInput(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { pattern, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    // Every value of a query arrives as text; the pattern of an integer's text describes no integer.
    schema: field['type'] === 'integer' || pattern === undefined ? field : { ...field, pattern },
  }));
};

const response = (answer: RouteAnswer, schemas: SchemaCollector): JsonSchema => ({
  description: answer.description,
  headers: headers({ ...answer.headers, 'X-Request-Id': 'Names the request in logs and events.' }),
  ...(answer.body === null
    ? {}
    : {
        content: {
          [answer.contentType ?? 'application/json']: { schema: schemas.ofOutput(answer.body) },
          ...(answer.streamedAs === undefined ? {} : { [answer.streamedAs]: { schema: { type: 'string' } } }),
        },
      }),
});

const errorResponses = (route: Route, schemas: SchemaCollector): JsonSchema => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...route.errors, ...commonErrors(route)])) {
    const status = httpStatusOfError[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: [string, JsonSchema][] = [];
  for (const [status, codes] of byStatus) {
    // GET /health answers 503 with its own body.
    if (route.answers[status] !== undefined) continue;
    const body = schemas.ofOutput(route.errorBodies?.[status] ?? errorBody);
    responses.push([
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        headers: headers({
          'X-Request-Id': 'Names the request in logs and events.',
          ...(status === 429 || status === 503 || codes.includes('target_unavailable')
            ? { 'Retry-After': 'Seconds to wait before the next attempt.' }
            : {}),
          ...(status === 405 ? { Allow: 'The methods of the path.' } : {}),
        }),
        content: { 'application/json': { schema: { allOf: [body, { properties: { code: { enum: codes } } }] } } },
      },
    ]);
  }
  return Object.fromEntries(responses);
};

/** What any route may answer, by its nature. */
const commonErrors = (route: Route): ErrorCode[] => [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'internal',
  'unavailable',
  'overloaded',
  // A body that a route has no use for is read and dropped, within bounds.
  ...(route.method === 'GET' ? [] : (['payload_too_large', 'unsupported_media_type'] satisfies ErrorCode[])),
  ...(route.body === undefined ? [] : (['malformed_json'] satisfies ErrorCode[])),
];

const requestIdHeader = {
  'X-Request-Id': 'Kept as the name of the request when it is 1 to 128 printable ASCII characters.',
};

const headers = (described: Record<string, string>): JsonSchema =>
  Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
