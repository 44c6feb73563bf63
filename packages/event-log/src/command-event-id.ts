import { hash } from 'node:crypto';

/**
 * The id of the event at `index` (from 0) among those that one command appends to one stream: a UUID of version 8 (RFC 9562 §5.8) of a SHA-256 over
 * all three. A repeated command gets the same event ids, so it cannot append its events twice.
 */
export function eventIdOfCommand(commandId: string, stream: string, index: number): string {
  const hex = hash('sha256', JSON.stringify([commandId, stream, index]), 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0b0011) | 0b1000).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
