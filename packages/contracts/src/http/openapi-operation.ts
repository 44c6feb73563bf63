import type { z } from 'zod';
import { limits } from '../limits.ts';
import type { OrganisationScope } from '../organisation-key/scope.ts';
import { type Deprecation, deprecationHeaders, deprecationText } from './deprecation.ts';
import { answerHeaders, answerHeadersOf, headerParameters, secretHeaders, textHeader } from './headers.ts';
import { errorResponses } from './openapi-errors.ts';
import type { JsonSchema, SchemaCollector } from './openapi-schemas.ts';
import type { Examples, Headers, Route, RouteAnswer } from './route.ts';
import { securityRequirement } from './security-schemes.ts';

/** A route as an operation of OpenAPI. */
export function operation(route: Route, schemas: SchemaCollector): JsonSchema {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [route.tag],
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    security: route.credentials.map(securityRequirement),
    ...(route.operatorRole === undefined ? {} : { 'x-operator-role': route.operatorRole }),
    ...(scopeOf(route) === undefined ? {} : { 'x-organisation-scope': scopeOf(route) }),
    parameters: parameters(route, schemas),
    ...requestBody(route, schemas),
    responses: withDeprecation(route, {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, response(route, answer, schemas)]),
      ),
      ...errorResponses(route, schemas),
      ...(route.relayed === undefined ? {} : { default: response(route, route.relayed, schemas) }),
    }),
  };
}

/** Whoever may call the route is told what an operator, and a named key of an organisation, needs for it, and that it will be removed. */
const descriptionOf = (route: Route): string =>
  [
    route.description,
    ...(route.operatorRole === undefined ? [] : [`An operator needs the role ${route.operatorRole}.`]),
    ...(scopeOf(route) === undefined ? [] : [`A named key of an organisation needs the scope ${scopeOf(route)}.`]),
    ...(route.deprecated === undefined ? [] : [deprecationText(route.deprecated)]),
  ].join(' ');

const describedHeaders = (deprecation: Deprecation): Headers => {
  const { Deprecation: since, Sunset: sunset } = deprecationHeaders(deprecation);
  return {
    Deprecation: textHeader('Since when the route is deprecated (RFC 9745).', since),
    Sunset: textHeader('From when on the route may be gone (RFC 8594).', sunset),
  };
};

/** Every answer of a deprecated route says so, refusals too. */
const withDeprecation = ({ deprecated }: Route, responses: Record<string, JsonSchema>): Record<string, JsonSchema> => {
  if (deprecated === undefined) return responses;
  const headers = answerHeadersOf(describedHeaders(deprecated));
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...(answer['headers'] as JsonSchema | undefined), ...headers } },
    ]),
  );
};

const scopeOf = ({ organisationScope: scope }: Route): OrganisationScope | undefined =>
  scope === 'any' || scope === 'none' ? undefined : scope;

/** HEAD of a GET: the same answers without their bodies (RFC 9110 §9.3.2). */
export function headOf(get: JsonSchema): JsonSchema {
  return {
    ...get,
    operationId: `${String(get['operationId'])}Head`,
    summary: `${String(get['summary'])}: headers only`,
    description: 'Answers as GET does, without a body.',
    responses: Object.fromEntries(
      Object.entries(get['responses'] as Record<string, JsonSchema>).map(([status, answer]) => [
        status,
        { description: answer['description'], headers: answer['headers'] },
      ]),
    ),
  };
}

const requestBody = (route: Route, schemas: SchemaCollector): JsonSchema => {
  const atMost = `At most ${(route.bodyBytesMax ?? limits.bodyBytesMax) / 1024 / 1024} MiB.`;
  if (route.body !== undefined) {
    const schema = schemas.ofInput(route.body);
    const content = { 'application/json': { schema, ...examplesOf(route.bodyExamples) } };
    return { requestBody: { required: true, description: atMost, content } };
  }
  return route.anyBody === undefined
    ? {}
    : {
        requestBody: {
          required: false,
          description: `${route.anyBody} ${atMost}`,
          content: { '*/*': { schema: { description: route.anyBody }, ...examplesOf(route.bodyExamples) } },
        },
      };
};

const examplesOf = (examples: Examples | undefined): JsonSchema => (examples === undefined ? {} : { examples });

const requestHeaders: Headers = {
  'X-Request-Id': {
    ...textHeader(
      `Kept as the id of the request if it is 1 to ${limits.requestIdCharsMax} printable ASCII characters.`,
      answerHeaders['X-Request-Id'].example as string,
    ),
  },
};

const parameters = (route: Route, schemas: SchemaCollector): JsonSchema[] => [
  ...fields(route.params, 'path', schemas),
  ...fields(route.query, 'query', schemas),
  ...headerParameters({ ...route.headers, ...requestHeaders }),
];

const fields = (schema: z.ZodType | undefined, place: 'path' | 'query', schemas: SchemaCollector): JsonSchema[] => {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.ofInput(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { pattern, description, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    // Values of a query are text; the pattern of an integer's text does not describe an integer.
    schema: field['type'] === 'integer' || pattern === undefined ? field : { ...field, pattern },
  }));
};

const response = (route: Route, answer: RouteAnswer, schemas: SchemaCollector): JsonSchema => ({
  description: answer.description,
  headers: answerHeadersOf({ ...(route.secret === true ? secretHeaders : {}), ...answer.headers, ...answerHeaders }),
  ...(answer.body === null ? {} : { content: contentOf(answer, answer.body, schemas) }),
});

const contentOf = (answer: RouteAnswer, body: z.ZodType, schemas: SchemaCollector): JsonSchema => {
  const media = { schema: schemas.ofOutput(body), ...examplesOf(answer.examples) };
  const types = [answer.contentType ?? 'application/json', ...(answer.alsoAs ?? [])];
  return { ...Object.fromEntries(types.map((type) => [type, media])), ...streams(answer) };
};

const streams = ({ streamedAs, streamExample, furtherStreams = {} }: RouteAnswer): JsonSchema => ({
  ...(streamedAs === undefined ? {} : { [streamedAs]: stream(streamExample) }),
  ...Object.fromEntries(Object.entries(furtherStreams).map(([type, example]) => [type, stream(example)])),
});

const stream = (example: string | undefined): JsonSchema => ({
  schema: { type: 'string', description: 'A stream of text.' },
  ...(example === undefined ? {} : { example }),
});
