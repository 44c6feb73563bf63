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

/** On every answer. */
export const answerHeaders = {
  'X-Request-Id': textHeader(
    'Identifies the request in logs and events, and is the request_id of an error.',
    '0d7b0b8e-4a55-4f0e-9a0c-5b9a4b1f9d2e',
  ),
  'X-Content-Type-Options': wordHeader('The body is what its Content-Type says.', ['nosniff']),
} satisfies Headers;

export const retryAfter: Header = integerHeader('Seconds to wait before the next attempt.', 5, 1);

export const noStore: Headers = {
  'Cache-Control': wordHeader('No cache may keep the answer.', ['no-store']),
};

/** For answers with a secret. */
export const secretHeaders: Headers = {
  ...noStore,
  'Referrer-Policy': wordHeader('Links send no referrer.', ['no-referrer']),
};

/** For answers that may be cached and revalidated. */
export const cacheHeaders: Headers = {
  ETag: textHeader('Changes with the content.', '"kTnT0Y1b3mPpGvC2aXJ5uQ"'),
  'Cache-Control': textHeader('How long it may be cached.', 'public, max-age=300'),
};

/** For answers that may change at any time, and differ by the caller: they may be kept, but not used without asking. */
export const liveCacheHeaders: Headers = {
  ETag: textHeader('Changes with the answer.', '"kTnT0Y1b3mPpGvC2aXJ5uQ"'),
  'Cache-Control': wordHeader('A client may keep it, and asks with If-None-Match before each use.', [
    'private, no-cache',
  ]),
};

export const ifNoneMatch: Headers = {
  'If-None-Match': textHeader(
    "ETags of the client's versions; 304 if one of them is current.",
    '"kTnT0Y1b3mPpGvC2aXJ5uQ"',
  ),
};

/** Headers of many answers, defined once under `components/headers`. */
export const sharedHeaders: Readonly<Record<string, Header>> = { ...answerHeaders, 'Retry-After': retryAfter };

/** Headers of an answer in OpenAPI's form. */
export function answerHeadersOf(headers: Headers): JsonSchema {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      header === sharedHeaders[name] ? { $ref: `#/components/headers/${name}` } : header,
    ]),
  );
}

/** Headers of a request in OpenAPI's form: optional parameters. */
export function headerParameters(headers: Headers): JsonSchema[] {
  return Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: false, ...header }));
}

export const idempotencyHeader: Headers = {
  'Idempotency-Key': {
    description:
      `1 to ${limits.idempotencyKeyCharsMax} characters, best a random UUID. For 24 hours the same request with the same key is not repeated, ` +
      'and gets the first answer. A key belongs to the route and the credential, or without one to the agent_id. A refusal or a question ' +
      '(202) frees it.',
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharsMax },
    example: '6f1e2f0c-8a39-4a0e-9d8f-0f9f4f4a2b11',
  },
};
