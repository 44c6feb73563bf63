import { DomainError } from '@agent-trust/contracts';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverFor } from '../server-for.ts';
import { callerOf, type McpCaller } from '../mcp-caller.ts';
import type { McpCore } from '../mcp-core.ts';
import { badRequest, invalidRequest, sessionNotFound } from '../mcp-refusal.ts';
import type { Taken } from '../peers/peers.ts';
import { eventStreamHeaders, openEventStream, type EventStream } from './event-stream.ts';
import { messagesOf, applyCancellations, isAnswer } from './messages.ts';
import { sendOutflow } from './outflow.ts';
import { requestKeyOf } from './running-requests.ts';

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
      throw new DomainError('overloaded', 'this session has as many concurrent requests as one may have', {
        limitedBy: 'caller',
      });
    default:
      return outcome satisfies never;
  }
}

/** Sessions of the older transport whose one stream this gateway holds. */
type HeldSessions = {
  hold(sessionId: string, stream: EventStream): void;
  isHeld(sessionId: string): boolean;
  /** Handles a message, and answers it in the session's stream. */
  take(core: McpCore, sessionId: string, caller: McpCaller, message: JSONRPCMessage): Promise<Taken>;
  /** Ends the streams, after the answers that are still to come. */
  stop(): void;
};

type Held = { stream: EventStream; running: number };

export function createHeldSessions(): HeldSessions {
  const held = new Map<string, Held>();
  let isStopping = false;
  const endIfIdle = ({ stream, running }: Held): void => {
    if (isStopping && running === 0) stream.end();
  };
  return {
    hold: (sessionId, stream) => {
      held.set(sessionId, { stream, running: 0 });
      stream.closed.addEventListener('abort', () => held.delete(sessionId));
    },
    isHeld: (sessionId) => held.has(sessionId),
    take: async (core, sessionId, caller, message) => {
      const session = held.get(sessionId);
      const record = session === undefined ? null : await core.sessions.find(sessionId);
      if (session === undefined || record === null || session.stream.closed.aborted) return 'gone';
      applyCancellations(core, sessionId, caller, [message]);
      if (!isJSONRPCRequest(message)) return 'taken';
      const giveBack = placeOf(core, sessionId);
      if (giveBack === null) return 'busy';
      session.running += 1;
      const server = serverFor(core, sessionId, caller, record);
      const key = requestKeyOf(message.id);
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        giveBack();
        remove();
        session.running -= 1;
        endIfIdle(session);
        void server.close();
      };
      const remove = core.running.add(sessionId, { key, caller, cancel: end });
      const transport = answersTo(session.stream, end);
      await server.connect(transport);
      transport.onmessage?.(message);
      return 'taken';
    },
    stop: () => {
      isStopping = true;
      for (const session of held.values()) endIfIdle(session);
    },
  };
}

/** Sends a server's messages in a stream that it shares with others. */
const answersTo = (stream: EventStream, end: () => void): Transport => {
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => {
      stream.send({ name: 'message', data: JSON.stringify(message) });
      if (isAnswer(message)) end();
      return Promise.resolve();
    },
    close: () => {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
};

const placeOf = (core: McpCore, sessionId: string): (() => void) | null => {
  try {
    return core.requestLimiter.acquire(sessionId);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};
