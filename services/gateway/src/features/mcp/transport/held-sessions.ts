import { DomainError } from '@agent-trust/contracts';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { McpCaller } from '../mcp-caller.ts';
import type { McpCore } from '../mcp-core.ts';
import type { Taken } from '../peers/peers.ts';
import { serverFor } from '../server-for.ts';
import type { EventStream } from './event-stream.ts';
import { applyCancellations, isAnswer } from './messages.ts';
import { requestKeyOf } from './running-requests.ts';

/** Sessions of the older transport whose one stream this gateway holds. */
export type HeldSessions = {
  hold(sessionId: string, stream: EventStream): void;
  isHeld(sessionId: string): boolean;
  /** Works on a message, and answers it in the session's stream. */
  take(core: McpCore, sessionId: string, caller: McpCaller, message: JSONRPCMessage): Promise<Taken>;
  /** Ends the streams: those on which an answer is still to come, when it has been sent. */
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

/** Sends what a server says in a stream that it shares with others. */
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
