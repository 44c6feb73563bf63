import type { FastifyRequest } from 'fastify';
import type { McpCore } from '../mcp-core.ts';
import { McpRefusal, rpcCodes, sessionNotFound } from '../mcp-refusal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';

type StreamableSession = { id: string; record: SessionRecord };

/**
 * The session that a request names.
 *
 * @throws McpRefusal 400 where it names none, 404 where there is none of the name; DomainError unavailable.
 */
export async function sessionOf(core: McpCore, { headers }: FastifyRequest): Promise<StreamableSession> {
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string' || id === '') {
    throw new McpRefusal(400, rpcCodes.refused, 'Bad Request: Mcp-Session-Id header is required');
  }
  const record = await core.sessions.find(id);
  // A session of the older transport is none here.
  if (record === null || record.heldBy !== null) throw sessionNotFound();
  return { id, record };
}
