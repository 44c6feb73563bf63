import { randomBytes } from 'node:crypto';
import { mcpLimits } from '../limits.ts';
import type { McpKeys } from '../sealing.ts';

/** Where a session is kept: at one of the places of the address that it was opened from. */
type SessionPlace = { readonly address: string; readonly index: number };

const addressBytes = 8;
const indexBytes = 2;
/** 256 bits that nobody guesses. */
const randomPartBytes = 32;
const idPattern = /^[A-Za-z0-9_-]{56}$/u;

/** An id says where its session is kept, so that it is found by one look-up from wherever its client moves to. */
export function newSessionId({ address, index }: SessionPlace): string {
  const bytes = Buffer.alloc(addressBytes + indexBytes);
  bytes.write(address, 'hex');
  bytes.writeUInt16BE(index, addressBytes);
  return Buffer.concat([bytes, randomBytes(randomPartBytes)]).toString('base64url');
}

/** Null for a text that no session id can be. */
export function placeOfSession(id: string): SessionPlace | null {
  if (!idPattern.test(id)) return null;
  const bytes = Buffer.from(id, 'base64url');
  const index = bytes.readUInt16BE(addressBytes);
  if (index >= mcpLimits.sessionsPerAddressMax) return null;
  return { address: bytes.toString('hex', 0, addressBytes), index };
}

/** An address as session ids carry it, which tells nobody which it is. */
export function addressInIds(keys: McpKeys, client: string): string {
  return keys.nameOf(['address', client]).toString('hex', 0, addressBytes);
}

export function keyOfPlace({ address, index }: SessionPlace): string {
  return `${address}.${index}`;
}
