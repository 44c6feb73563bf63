import { answerHeaders, retryAfter } from './headers.ts';
import type { JsonSchema } from './openapi-schemas.ts';
import type { Header, Headers } from './route.ts';

/** Headers that many answers have; each stands once, under `components/headers`. */
export const sharedHeaders: Readonly<Record<string, Header>> = { ...answerHeaders, 'Retry-After': retryAfter };

/** Headers of an answer as OpenAPI has them. */
export function answerHeadersOf(headers: Headers): JsonSchema {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      header === sharedHeaders[name] ? { $ref: `#/components/headers/${name}` } : header,
    ]),
  );
}

/** Headers of a request as OpenAPI has them: parameters, none of which a request must have. */
export function headerParameters(headers: Headers): JsonSchema[] {
  return Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: false, ...header }));
}
