import { isUtf8 } from 'node:buffer';
import { codePointCount, faultAt, limits } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';

/**
 * The Idempotency-Key of a request, or null for one without.
 *
 * @throws DomainError validation_failed.
 */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  // Node reads a header as Latin-1; its bytes may be UTF-8 all the same, and then two of them can be one character.
  const bytes = Buffer.from(String(header), 'latin1');
  const key = isUtf8(bytes) ? bytes.toString('utf8') : String(header);
  const charsMax = limits.idempotencyKeyCharsMax;
  const count = codePointCount(key);
  if (count >= 1 && count <= charsMax) return key;
  throw faultAt('validation_failed', ['header', 'idempotency-key'], `must have 1 to ${charsMax} characters`);
}
