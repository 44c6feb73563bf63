import { timingSafeEqual } from 'node:crypto';
import { type McpCaller, identityOf } from './mcp-caller.ts';
import type { McpKeys } from './sealing.ts';

/** A place in the stream of one message's answers. */
type EventPlace = {
  readonly stream: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  readonly seq: number;
};

const pattern = /^([A-Za-z0-9_-]{16})\.([0-9a-z]{1,11})\.([0-9a-z]{1,6})\.([A-Za-z0-9_-]{43})$/u;

/**
 * An id that only a gateway can make, and only for this session and caller. So a place in a stream without events needs no record, and
 * another caller's session id and event id are of no use.
 */
export function eventIdOf(keys: McpKeys, sessionId: string, caller: McpCaller, place: EventPlace): string {
  const parts = [place.stream, place.openedAt.toString(36), place.seq.toString(36)];
  return [...parts, proof(keys, sessionId, caller, parts)].join('.');
}

/** Null for an id that is not of this session and caller. */
export function placeOfEvent(keys: McpKeys, sessionId: string, caller: McpCaller, id: string): EventPlace | null {
  const [, stream, openedAt, seq, given] = pattern.exec(id) ?? [];
  if (stream === undefined || openedAt === undefined || seq === undefined || given === undefined) return null;
  const right = proof(keys, sessionId, caller, [stream, openedAt, seq]);
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(right))) return null;
  return { stream, openedAt: Number.parseInt(openedAt, 36), seq: Number.parseInt(seq, 36) };
}

/** Name under which an event is kept. */
export function keyOfEvent(keys: McpKeys, sessionId: string, stream: string, seq: number): string {
  return `${keys.nameOf(['stream', sessionId, stream]).toString('hex')}.${seq}`;
}

const proof = (keys: McpKeys, sessionId: string, caller: McpCaller, parts: readonly string[]): string =>
  keys.nameOf(['event id', sessionId, ...identityOf(caller), ...parts]).toString('base64url');
