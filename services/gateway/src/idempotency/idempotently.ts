import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { codePointCount, faultAt, limits } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { statusOf } from '../http/error-answer.ts';
import type { Scope } from './credential-scope.ts';
import { type KeyedOptions, type Once, unrepeated } from './idempotency.ts';

/** Nothing was written: the caller sends the same key with another body. */
const questionStatus = 202;

/**
 * Makes a request repeatable under its Idempotency-Key: the first answer is kept and sent again. Called once the request is authenticated;
 * its route keeps the raw body.
 *
 * Answers of success are kept. A refusal (4xx) and a question (202) have written nothing, so they free the key. A failure (5xx), or an
 * error after the command, may have written something: the key stays with this body, and the next request under it sends the same command,
 * which finds what was done. A streamed or too long answer is not kept: its request is carried out again, too.
 *
 * @param answer Calls `written` once its command has been carried out, or may have been.
 * @throws DomainError validation_failed, idempotency_key_reused, idempotency_key_in_use, unavailable; errors of `answer`.
 */
export async function idempotently(
  gateway: Gateway,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  scope: Scope,
  answer: (once: Once, written: () => void) => Promise<unknown>,
  options: KeyedOptions = {},
): Promise<unknown> {
  const key = idempotencyKeyOf(request);
  if (key === null) return answer(unrepeated, () => undefined);
  if (request.rawBody === null) throw new Error('a route that takes an Idempotency-Key keeps the raw body');
  const bodyHash = hash('sha256', request.rawBody, 'hex');
  const operation = request.routeOptions.url ?? '';
  const taken = await gateway.idempotency.take({ operation, key, scope, bodyHash, ...options });
  if (taken.kind === 'replay') {
    reply.code(taken.answer.status);
    return taken.answer.body;
  }
  let body: unknown;
  let isWritten = false;
  try {
    body = await answer(taken.once, () => {
      isWritten = true;
    });
  } catch (error) {
    await (!isWritten && statusOf(error) < 500 ? taken.withdrawn() : taken.interrupted());
    throw error;
  }
  const status = reply.statusCode;
  // A streamed answer cannot be kept, and a failure is no result.
  if (reply.sent || status >= 500) await taken.interrupted();
  else await (status === questionStatus ? taken.withdrawn() : taken.answered(status, body));
  return body;
}

/** The Idempotency-Key of a request, or null if it has none. @throws DomainError validation_failed. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  // Node reads a header as Latin-1, but its bytes may be UTF-8: two of them can be one character.
  const bytes = Buffer.from(String(header), 'latin1');
  const key = isUtf8(bytes) ? bytes.toString('utf8') : String(header);
  const charsMax = limits.idempotencyKeyCharsMax;
  const count = codePointCount(key);
  if (count >= 1 && count <= charsMax) return key;
  throw faultAt('validation_failed', ['header', 'idempotency-key'], `must have 1 to ${charsMax} characters`);
}
