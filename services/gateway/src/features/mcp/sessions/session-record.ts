import { hash, timingSafeEqual } from 'node:crypto';
import { seal, unseal } from '../../../credentials/seal.ts';
import { z } from 'zod';
import { type McpCaller, identityOf } from '../mcp-caller.ts';
import type { McpKeys } from '../sealing.ts';

/** What is kept of a session. The id itself is not: whoever reads the store cannot use a session. */
export const sessionRecord = z.object({
  idHash: z.string(),
  /** Milliseconds since 1970. */
  openedAt: z.number().int(),
  seenAt: z.number().int(),
  /** The gateway that holds the one stream of a session of the older transport; null for a session of streamable HTTP. */
  heldBy: z.string().nullable(),
  /** What `set_agent_key` was given, sealed; base64. */
  setKey: z.string().nullable(),
});
export type SessionRecord = Readonly<z.output<typeof sessionRecord>>;

export function newSession(id: string, now: number, heldBy: string | null): SessionRecord {
  return {
    idHash: hash('sha256', id, 'hex'),
    openedAt: now,
    seenAt: now,
    heldBy,
    setKey: null,
  };
}

/** Whether a record is of this session, or of another that has its place now. */
export function isOfSession(record: SessionRecord, id: string): boolean {
  return timingSafeEqual(Buffer.from(record.idHash, 'hex'), hash('sha256', id, 'buffer'));
}

/**
 * Seals a key so that it opens for the same session and the same caller only: both are part of what the seal is held to, so a request with the
 * session's id and other headers does not even have the means to open it.
 */
export function sealSetKey(keys: McpKeys, id: string, caller: McpCaller, key: string): string {
  return Buffer.from(seal(keys.sessions, sealName(id, caller), key)).toString('base64');
}

/** The session's key for this caller; null where there is none, or it was set by another. */
export function openSetKey(keys: McpKeys, id: string, caller: McpCaller, record: SessionRecord): string | null {
  if (record.setKey === null) return null;
  try {
    return unseal(keys.sessions, sealName(id, caller), Buffer.from(record.setKey, 'base64'));
  } catch {
    return null;
  }
}

const sealName = (id: string, caller: McpCaller): string => JSON.stringify(['set key', id, ...identityOf(caller)]);
