import type { JsonSchema } from './openapi-schemas.ts';
import type { Header, Headers } from './route.ts';

const full = (header: string | Header): Header | (Omit<Header, 'example'> & { example?: never }) =>
  typeof header === 'string' ? { description: header, schema: { type: 'string' } } : header;

/** Headers of an answer as OpenAPI has them. */
export const answerHeadersOf = (headers: Headers): JsonSchema =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, full(header)]));

/** Headers of a request as OpenAPI has them: parameters, none of which a request must have. */
export const headerParameters = (headers: Headers): JsonSchema[] =>
  Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: false, ...full(header) }));
