import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../mcp-caller.ts';
import type { McpCore } from '../mcp-core.ts';
import { badRequest, McpRefusal, rpcCodes } from '../mcp-refusal.ts';
import type { KeptEvent } from '../kept-events.ts';
import { type EventStream, eventStreamHeaders, openEventStream } from './event-stream.ts';
import { checkVersion, sessionOf } from './messages.ts';
import { sendOutflow } from './outflow.ts';

/**
 * GET of streamable HTTP: with Last-Event-ID the answers that a client has missed, at whichever gateway; without it a stream that stays open
 * as long as the session, on which this server sends nothing of its own.
 */
export async function streamableGet(core: McpCore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (request.headers.accept?.includes('text/event-stream') !== true) {
    throw new McpRefusal(406, rpcCodes.refused, 'Not Acceptable: Client must accept text/event-stream');
  }
  const caller = callerOf(request);
  const { id } = await sessionOf(core, request);
  checkVersion(request);
  const stream = core.streams.open(id, caller.client, () =>
    openEventStream(core.outflow, async () => (await core.sessions.find(id)) !== null),
  );
  const lastEventId = request.headers['last-event-id'];
  if (typeof lastEventId === 'string') {
    const missed = core.events.following(id, caller, lastEventId, stream.closed);
    if (missed === null) {
      stream.end();
      stream.body.resume();
      throw badRequest('Last-Event-ID is none that was sent in this session');
    }
    passOn(missed, stream).catch((err: unknown) => {
      core.gateway.logger.warn({ err, request_id: request.id }, 'missed answers could not be sent');
      stream.end();
    });
  }
  return sendOutflow(reply.headers({ ...eventStreamHeaders, 'mcp-session-id': id }), stream.body);
}

const passOn = async (missed: AsyncIterable<KeptEvent>, stream: EventStream): Promise<void> => {
  for await (const { id, message } of missed) stream.send({ name: 'message', id, data: JSON.stringify(message) });
  stream.end();
};

/** DELETE of streamable HTTP: ends a session with its requests, streams and key, at every gateway. */
export async function streamableDelete(core: McpCore, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { id } = await sessionOf(core, request);
  checkVersion(request);
  await core.sessions.end(id);
  core.running.cancelAll(id);
  core.streams.endAllOf(id);
  core.peers.tellAll({ kind: 'ended', sessionId: id });
  return reply.code(200).send('');
}
