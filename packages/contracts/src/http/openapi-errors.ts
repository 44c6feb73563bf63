import type { z } from 'zod';
import { exampleDetails } from '../error-examples.ts';
import { type ErrorCode, errorBody, httpStatusOf, meaningOf, validationItem } from '../errors.ts';
import { exampleQuota } from '../quota/refusal.ts';
import { answerHeaders, answerHeadersOf, retryAfter, secretHeaders } from './headers.ts';
import type { JsonSchema, SchemaCollector } from './openapi-schemas.ts';
import type { Headers, Route } from './route.ts';

/** Refusals that any route may answer. */
const commonErrors = (route: Route): ErrorCode[] => [
  'malformed_request',
  ...(route.anyHost === true ? [] : (['unknown_host'] satisfies ErrorCode[])),
  'expectation_failed',
  'request_timeout',
  'headers_too_large',
  'internal',
  'unavailable',
  'overloaded',
  'payload_too_large',
  // Operators' bearer credentials are refused from web pages of other origins.
  ...(route.credentials.some((one) => one === 'admin_token' || one === 'operator')
    ? (['browser_request_refused'] satisfies ErrorCode[])
    : []),
  // Where a body is ignored or forwarded, its type need only be one.
  ...(route.method === 'GET' ? [] : (['unsupported_media_type'] satisfies ErrorCode[])),
  ...(route.body === undefined ? [] : (['malformed_json'] satisfies ErrorCode[])),
];

/** Codes whose refusals always have Retry-After. */
const codesWithRetryAfter: readonly ErrorCode[] = ['target_unavailable', 'idempotency_key_in_use'];

/** The refusals of a route as answers of OpenAPI, by status. */
export function errorResponses(route: Route, schemas: SchemaCollector): JsonSchema {
  const codes = [...new Set([...route.errors, ...commonErrors(route)])];
  const byStatus = Map.groupBy(codes, httpStatusOf);
  return Object.fromEntries(
    [...byStatus]
      // GET /health answers 503 with its own body.
      .filter(([status]) => route.answers[status] === undefined)
      .map(([status, ofStatus]) => [String(status), errorResponse(route, status, ofStatus, schemas)]),
  );
}

const errorResponse = (route: Route, status: number, codes: ErrorCode[], schemas: SchemaCollector): JsonSchema => {
  const schema = errorSchema(status, codes, route.errorBodies?.[status] ?? errorBody, schemas);
  const relayed = route.relayed === undefined ? null : { schema: anything };
  return {
    description: `${codes.map((code) => `- \`${code}\`: ${meaningOf(code)}`).join('\n')}${relayed === null ? '' : relayedToo}`,
    headers: answerHeadersOf({ ...errorHeaders(route, status, codes), ...route.relayed?.headers }),
    content: {
      'application/json': {
        schema: relayed === null ? schema : { anyOf: [schema, anything] },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(route, code, schemas)])),
      },
      ...(relayed === null ? {} : { '*/*': relayed }),
    },
  };
};

const relayedToo = "\n\nOr the agent's own answer with this status, which comes with X-Registry-Attribution.";
const anything = { description: "The agent's own answer, of any shape." };

const errorHeaders = (route: Route, status: number, codes: ErrorCode[]): Headers => ({
  ...answerHeaders,
  ...(route.secret === true ? secretHeaders : {}),
  ...(status === 429 || status === 503 || codes.some((code) => codesWithRetryAfter.includes(code))
    ? { 'Retry-After': retryAfter }
    : {}),
});

/** The error body of one status: only its codes, and `detail` as a list or as text. */
const errorSchema = (status: number, codes: ErrorCode[], body: z.ZodType, schemas: SchemaCollector): JsonSchema => ({
  allOf: [
    schemas.ofOutput(body),
    {
      type: 'object',
      properties: {
        code: { enum: codes, description: 'One of these.' },
        detail:
          status === 422
            ? { type: 'array', items: schemas.ofOutput(validationItem), description: 'Each fault with its place.' }
            : { type: 'string', description: 'What is wrong, in words for a person.' },
      },
    },
  ],
});

/** An example that is the same for every route is defined once, under `components/examples`. */
const exampleOf = (route: Route, code: ErrorCode, { examples }: SchemaCollector): JsonSchema => {
  const example = errorExample(route, code);
  if (code === 'validation_failed' || route.errorExamples?.[code] !== undefined) return example;
  examples[code] = example;
  return { $ref: `#/components/examples/${code}` };
};

const errorExample = (route: Route, code: ErrorCode): JsonSchema => {
  const detail = exampleDetails[code];
  return {
    summary: meaningOf(code),
    value: {
      detail: code === 'validation_failed' ? (faultOf(route) ?? detail) : detail,
      code,
      request_id: answerHeaders['X-Request-Id'].example,
      ...(code === 'quota_exceeded' ? exampleQuota : {}),
      ...route.errorExamples?.[code],
    },
  };
};

/** A possible fault of this route's requests, if they have no body. */
const faultOf = (route: Route): object[] | null => {
  if (route.body !== undefined) return null;
  const [name] = Object.keys((route.query as z.ZodObject | undefined)?.shape ?? {});
  return name === 'limit'
    ? [{ loc: ['query', 'limit'], msg: 'must be an integer', type: 'invalid_format' }]
    : name === undefined || route.params !== undefined
      ? [{ loc: ['path', 'agent_id'], msg: 'must have at most 128 characters', type: 'custom' }]
      : [{ loc: ['query', name], msg: 'is required', type: 'invalid_type' }];
};
