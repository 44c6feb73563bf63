import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { seal, unseal } from '../../../credentials/seal.ts';
import { mcpLimits } from '../limits.ts';
import { type McpCaller, identityOf } from '../mcp-caller.ts';
import type { McpKeys } from '../sealing.ts';

/** Where a session is stored: at one of the places of the address that it was opened from. */
type SessionPlace = { readonly address: string; readonly index: number };

const addressBytes = 8;
const indexBytes = 2;
/** 256 bits: too many to guess. */
const randomPartBytes = 32;
const idPattern = /^[A-Za-z0-9_-]{56}$/u;

/** A new id. It contains the place of its session, so that one lookup finds it from every address that its client moves to. */
export function newSessionId({ address, index }: SessionPlace): string {
  const bytes = Buffer.alloc(addressBytes + indexBytes);
  bytes.write(address, 'hex');
  bytes.writeUInt16BE(index, addressBytes);
  return Buffer.concat([bytes, randomBytes(randomPartBytes)]).toString('base64url');
}

/** Null for a text that cannot be a session id. */
export function placeOfSession(id: string): SessionPlace | null {
  if (!idPattern.test(id)) return null;
  const bytes = Buffer.from(id, 'base64url');
  const index = bytes.readUInt16BE(addressBytes);
  if (index >= mcpLimits.sessionsPerAddressMax) return null;
  return { address: bytes.toString('hex', 0, addressBytes), index };
}

/** An address as session ids contain it; it does not reveal the address. */
export function addressInIds(keys: McpKeys, client: string): string {
  return keys.nameOf(['address', client]).toString('hex', 0, addressBytes);
}

export function keyOfPlace({ address, index }: SessionPlace): string {
  return `${address}.${index}`;
}

/** The stored state of a session. The id itself is not stored: a reader of the store cannot use a session. */
export const sessionRecord = z.object({
  idHash: z.string(),
  /** Milliseconds since 1970. */
  openedAt: z.number().int(),
  seenAt: z.number().int(),
  /** The gateway that holds the one stream of a session of the older transport; null for a session of streamable HTTP. */
  heldBy: z.string().nullable(),
  /** The key of `set_agent_key`, sealed; base64. */
  setKey: z.string().nullable(),
});
export type SessionRecord = Readonly<z.output<typeof sessionRecord>>;

export function newSession(id: string, now: number, heldBy: string | null): SessionRecord {
  return { idHash: hash('sha256', id, 'hex'), openedAt: now, seenAt: now, heldBy, setKey: null };
}

/** Whether a record is of this session, and not of a later one at the same place. */
export function isOfSession(record: SessionRecord, id: string): boolean {
  return timingSafeEqual(Buffer.from(record.idHash, 'hex'), hash('sha256', id, 'buffer'));
}

/** Seals a key so that it opens only for the same session and caller: a request with the session's id and other headers cannot open it. */
export function sealSetKey(keys: McpKeys, id: string, caller: McpCaller, key: string): string {
  return Buffer.from(seal(keys.sessions, sealName(id, caller), key)).toString('base64');
}

/** The session's key for this caller; null if there is none, or another caller set it. */
export function openSetKey(keys: McpKeys, id: string, caller: McpCaller, record: SessionRecord): string | null {
  if (record.setKey === null) return null;
  try {
    return unseal(keys.sessions, sealName(id, caller), Buffer.from(record.setKey, 'base64'));
  } catch {
    return null;
  }
}

const sealName = (id: string, caller: McpCaller): string => JSON.stringify(['set key', id, ...identityOf(caller)]);
