import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@agent-trust/contracts';
import type { LogAccess } from './access-log.ts';
import { errorAnswer } from './error-answer.ts';
import type { Pipelining } from './pipelining.ts';
import { refusalsOf } from './request-metrics.ts';

type AnswerClientError = (error: NodeJS.ErrnoException, socket: Socket) => void;

/**
 * Answers input that never became a request: broken HTTP, a request to be a proxy, endless headers, a client that stopped sending. What the client asked for before is
 * answered first: it may have been carried out. What follows a request with `Connection: close` is ignored (RFC 9112 §9.6).
 */
export function createClientErrorAnswer(
  { whenAnswered, isAnsweredEarly }: Pipelining,
  logAccess: LogAccess,
): AnswerClientError {
  const ending = new WeakSet<Socket>();
  return (error, socket) => {
    if (ending.has(socket)) return;
    ending.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // One request has one answer: the rest of this one is what is broken.
    if (isAnsweredEarly(socket)) return socket.destroySoon();
    whenAnswered(socket, () => {
      if (error.code === 'HPE_CLOSED_CONNECTION') return void socket.end();
      if (!socket.writable) return void socket.destroy();
      const requestId = randomUUID();
      const { status, body } = errorAnswer(refusalOf(error.code), requestId);
      const text = JSON.stringify(body);
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
          `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${requestId}\r\n` +
          `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${text}`,
      );
      refusalsOf(null, body.code).add();
      logAccess('unread', null, status, 0, requestId);
    });
  };
}

const refusalOf = (code: string | undefined): DomainError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'the request line and headers are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'the request was not sent in time');
    case 'CONNECT':
      return new DomainError('malformed_request', 'CONNECT is for proxies');
    default:
      return new DomainError('malformed_request', 'the request is not valid HTTP');
  }
};
