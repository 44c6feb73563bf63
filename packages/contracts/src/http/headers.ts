import { limits } from '../limits.ts';
import type { JsonSchema } from './openapi-schemas.ts';
import type { Header, Headers } from './route.ts';

/** A header of any text. */
export function textHeader(description: string, example: string): Header {
  return {
    description,
    schema: { type: 'string' },
    example,
  };
}

/** A header that is a whole number, 0 or more unless said otherwise. */
export function integerHeader(description: string, example: number, minimum = 0): Header {
  return {
    description,
    schema: { type: 'integer', minimum },
    example,
  };
}

/** A header that has one of a few words. */
export function wordHeader(description: string, words: readonly [string, ...string[]]): Header {
  return {
    description,
    schema: { type: 'string', enum: words },
    example: words[0],
  };
}

/** On every answer, whatever was asked. */
export const answerHeaders = {
  'X-Request-Id': textHeader(
    'Names the request in logs and events, and is the request_id of an error.',
    '0d7b0b8e-4a55-4f0e-9a0c-5b9a4b1f9d2e',
  ),
  'X-Content-Type-Options': wordHeader('The body is what its Content-Type says.', ['nosniff']),
} satisfies Headers;

export const retryAfter: Header = integerHeader('Seconds to wait before the next attempt.', 5, 1);

export const noStore: Headers = {
  'Cache-Control': wordHeader('No cache may keep the answer.', ['no-store']),
};

/** Of answers that hold a secret. */
export const secretHeaders: Headers = {
  ...noStore,
  'Referrer-Policy': wordHeader('No link may tell where it came from.', ['no-referrer']),
};

/** Of what may be kept, and asked for again by its tag. */
export const cacheHeaders: Headers = {
  ETag: textHeader('Changes with the content.', '"kTnT0Y1b3mPpGvC2aXJ5uQ"'),
  'Cache-Control': textHeader('How long it may be kept.', 'public, max-age=300'),
};

export const ifNoneMatch: Headers = {
  'If-None-Match': textHeader(
    'ETags of what the client has; 304 where one of them is still current.',
    '"kTnT0Y1b3mPpGvC2aXJ5uQ"',
  ),
};

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

/** The header of routes whose requests may be repeated safely. */
export const idempotencyHeader: Headers = {
  'Idempotency-Key': {
    description:
      `1 to ${limits.idempotencyKeyCharsMax} characters, best a random UUID. For 24 hours the same request under the same key is answered as ` +
      'the first time and not carried out again. A key belongs to the route and the credential, without one to the agent_id. A refusal, and a ' +
      'question (202), free it.',
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharsMax },
    example: '6f1e2f0c-8a39-4a0e-9d8f-0f9f4f4a2b11',
  },
};
