import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@agent-trust/contracts';
import { errorAnswer } from './error-answer.ts';

/** Answers what never became a request: broken HTTP, headers without end, a client that stopped sending. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const { status, body } = errorAnswer(refusalOf(error.code), requestId);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${requestId}\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${text}`,
  );
}

const refusalOf = (code: string | undefined): DomainError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'the request line and headers are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'the request was not sent in time');
    default:
      return new DomainError('malformed_request', 'the request breaks HTTP');
  }
};
