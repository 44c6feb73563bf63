import { DomainError } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../mcp-caller.ts';
import type { McpCore } from '../mcp-core.ts';
import { badRequest, invalidRequest, sessionNotFound } from '../mcp-refusal.ts';
import { eventStreamHeaders, openEventStream } from './event-stream.ts';
import type { HeldSessions } from './held-sessions.ts';
import { messagesOf } from './messages.ts';
import { sendOutflow } from './outflow.ts';

/** Where clients of the older transport send messages. */
export const messagesPath = '/mcp/messages';

/** GET of the older transport (HTTP with SSE, protocol version 2024-11-05): the session's stream; its first event says where messages go. */
export async function legacyStream(
  core: McpCore,
  held: HeldSessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { client } = callerOf(request);
  const id = await core.sessions.open(client, core.peers.ownId);
  const forget = (): void =>
    void core.sessions
      .end(id)
      .catch((err: unknown) => core.gateway.logger.warn({ err }, 'a session could not be ended; it lapses'));
  try {
    const stream = core.streams.open(id, client, () =>
      openEventStream(core.outflow, async () => (await core.sessions.find(id)) !== null),
    );
    held.hold(id, stream);
    stream.closed.addEventListener('abort', () => {
      core.running.cancelAll(id);
      forget();
    });
    // With the path of BASE_URL: a proxy may serve the registry below one.
    const prefix = new URL(core.gateway.baseUrl).pathname.replace(/\/$/u, '');
    stream.send({ name: 'endpoint', data: `${prefix}${messagesPath}?sessionId=${id}` });
    return sendOutflow(reply.headers(eventStreamHeaders), stream.body);
  } catch (error) {
    forget();
    throw error;
  }
}

/** POST of the older transport: handles the message here or passes it to the gateway that holds the stream, in which the answer comes. */
export async function legacyMessage(
  core: McpCore,
  held: HeldSessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { sessionId } = request.query as Record<string, unknown>;
  if (typeof sessionId !== 'string') throw badRequest('sessionId is required');
  const [message, ...more] = messagesOf(request.body);
  if (message === undefined || more.length > 0) throw invalidRequest('one message in a body');
  const caller = callerOf(request);
  const heldBy = (await core.sessions.find(sessionId))?.heldBy;
  if (heldBy === undefined || heldBy === null) throw sessionNotFound();
  const outcome =
    heldBy === core.peers.ownId
      ? await held.take(core, sessionId, caller, message)
      : await core.peers.hand(heldBy, { kind: 'message', sessionId, caller, message });
  switch (outcome) {
    case 'taken':
      return reply.code(202).type('text/plain; charset=utf-8').send('Accepted');
    case 'gone':
      throw sessionNotFound();
    case 'busy':
      throw new DomainError('overloaded', 'this session has as many concurrent requests as one may have');
    default:
      return outcome satisfies never;
  }
}
