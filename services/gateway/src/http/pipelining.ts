import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Pipelining = {
  /** A listener that gets the requests of each connection one at a time. */
  oneAtATime: (listener: RequestListener) => RequestListener;
  /** Calls back when the requests that a connection has sent before are answered. */
  whenAnswered: (socket: Socket, then: () => void) => void;
  /** Whether the request that a connection is still sending has got an answer, or the beginning of one. */
  isAnsweredEarly: (socket: Socket) => boolean;
};

/**
 * Serves the requests that a client has sent one behind the other (RFC 9112 §9.3.2) one after the other. Node hands over all that it reads
 * at once: a thousand small requests of one connection would be worked on before anybody else's next one, also when the client is gone.
 * While requests wait, nothing more is read; those of a connection that closes are dropped.
 */
export function createPipelining(): Pipelining {
  const waiting = new WeakMap<Socket, number>();
  const newest = new WeakMap<Socket, ServerResponse>();
  return {
    oneAtATime: (listener) => (request, response) => {
      const { socket } = request;
      newest.set(socket, response);
      // Node gives a response its connection when those before it have ended.
      if (response.socket !== null) return listener(request, response);
      const before = waiting.get(socket) ?? 0;
      waiting.set(socket, before + 1);
      if (before === 0) socket.pause();
      response.once('socket', () => {
        const left = (waiting.get(socket) ?? 1) - 1;
        waiting.set(socket, left);
        if (left === 0) socket.resume();
        listener(request, response);
      });
    },
    isAnsweredEarly: (socket) => {
      const response = newest.get(socket);
      return response !== undefined && !response.req.complete && response.headersSent;
    },
    whenAnswered: (socket, then) => {
      const response = newest.get(socket);
      if (response === undefined || response.writableFinished || response.destroyed) return then();
      // A request that did not come to its end is never answered.
      if (response.req.complete) response.once('close', then);
      else if (response.socket === null) response.once('socket', then);
      else then();
    },
  };
}
