import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const printable = /^[\x20-\x7e]{1,128}$/u;

/** The client's own X-Request-Id if it is 1 to 128 printable ASCII characters, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && printable.test(given) ? given : randomUUID();
}
