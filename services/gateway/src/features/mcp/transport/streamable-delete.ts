import type { FastifyReply, FastifyRequest } from 'fastify';
import type { McpCore } from '../mcp-core.ts';
import { checkVersion } from './messages.ts';
import { sessionOf } from './streamable-session.ts';

/** DELETE of streamable HTTP: ends a session with all that runs and listens in it, at every gateway. Its key goes with it. */
export async function streamableDelete(core: McpCore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { id } = await sessionOf(core, request);
  checkVersion(request);
  await core.sessions.end(id);
  core.running.cancelAll(id);
  core.streams.endAllOf(id);
  core.peers.tellAll({ kind: 'ended', sessionId: id });
  return reply.code(200).send('');
}
