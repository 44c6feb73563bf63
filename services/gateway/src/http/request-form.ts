import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { DomainError } from '@agent-trust/contracts';
import type { LogAccess } from './access-log.ts';
import { errorAnswer } from './error-answer.ts';
import { requestIdOf } from './request-id.ts';
import { refusalsOf } from './request-metrics.ts';

export type Refuse = (request: IncomingMessage, response: ServerResponse, refusal: DomainError) => void;

/** Answers a request that no route gets, in the form of every refusal. What it sends is read and dropped, so that the client reads the answer. */
export function createRefuse(logAccess: LogAccess): Refuse {
  return (request, response, refusal) => {
    const requestId = requestIdOf(request);
    const { status, headers, body } = errorAnswer(refusal, requestId);
    const text = JSON.stringify(body);
    response.writeHead(status, {
      ...headers,
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
    refusalsOf(null, body.code).add();
    logAccess(request.method ?? '', null, status, 0, requestId);
  };
}

/** Passes on requests in the form of HTTP/1.0 and 1.1, and refuses the others, which Node's parser lets through. */
export function soundRequests(refuse: Refuse, listener: RequestListener): RequestListener {
  return (request, response) => {
    const fault = faultOf(request);
    if (fault === undefined) return listener(request, response);
    refuse(request, response, new DomainError('malformed_request', fault));
  };
}

/** The refusal of an expectation other than 100-continue (RFC 9110 §10.1.1). Node would answer it without a body. */
export function expectationFailed(): DomainError {
  return new DomainError('expectation_failed', 'the only expectation that is met is 100-continue');
}

const faultOf = ({ headers, httpVersion }: IncomingMessage): string | undefined => {
  const { host, 'transfer-encoding': coding } = headers;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the version of HTTP must be 1.1 or 1.0';
  // RFC 9112 §3.2. Several headers of a name are joined by commas, which are in no host.
  if (host === undefined && httpVersion === '1.1') return 'the Host header is missing';
  if (host?.includes(',') === true) return 'there must be one Host header';
  // What a proxy in front makes of another coding, nobody knows: two readings of one body are request smuggling.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'the only Transfer-Encoding is chunked';
  return undefined;
};
