import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';
import { type CallHead, type CallParties, payReference } from './call-response.ts';
import { exchangeOf } from './failed-call.ts';
import type { OpenedCall } from './open-call.ts';

/**
 * Passes an agent's server-sent events on as they come; a slow client slows the agent, through every hop. The answer ends when the
 * exchange is recorded and readable, so a client that has read it to its end may review it. If the agent breaks off, the connection
 * breaks: after a clean end the client would believe that it has everything.
 *
 * @param release Frees the place of a stream that gives way to others when it is slow; null for one that does not.
 */
export async function answerEvents(
  gateway: Gateway,
  reply: FastifyReply,
  parties: CallParties,
  call: OpenedCall,
  release: (() => void) | null,
): Promise<void> {
  const payVia = await payableReference(gateway, reply, parties, call.head);
  // Written past fastify, which would delay the headers until the first event.
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, streamHead(call.head, payVia));
  response.flushHeaders();
  const yielding =
    release &&
    gateway.yieldingStreams.add(() => {
      release();
      gateway.logger.info({ request_id: reply.request.id }, 'a slow stream gives way to another call');
      response.destroy();
    });
  try {
    const progress = (bytes: number): void => yielding?.progress(bytes);
    await pipeline(Readable.from(events(gateway, reply, call, progress), { objectMode: false }), response);
  } catch (error) {
    // The client has disconnected, or the agent has broken off; the client sees the broken connection.
    gateway.logger.info({ err: error, request_id: reply.request.id }, 'a streamed answer broke off');
  } finally {
    yielding?.over();
  }
}

/**
 * Where to pay for a call whose agent asks for payment, once readers see the exchange: a payment that comes earlier could not be assigned to
 * it. Null for a call without such a demand, and if readers do not see the exchange in time.
 */
const payableReference = async (
  gateway: Gateway,
  { request }: FastifyReply,
  parties: CallParties,
  head: CallHead,
): Promise<string | null> => {
  if (head.statusCode !== 402) return null;
  if (head.transactionId !== null) {
    if (head.position === null) return null;
    try {
      await untilReadable(gateway, head.position);
    } catch (error) {
      gateway.logger.warn({ err: error, request_id: request.id }, 'a streamed call cannot be paid for yet');
      return null;
    }
  }
  return payReference(parties, head, gateway.baseUrl);
};

async function* events(
  gateway: Gateway,
  { request }: FastifyReply,
  call: OpenedCall,
  progress: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of call.body) {
      yield chunk;
      // The next one is asked for when the client has taken this.
      progress(chunk.byteLength);
    }
  } catch (error) {
    const position = exchangeOf(error)?.position;
    if (position != null) await untilReadable(gateway, position);
    throw error;
  }
  const { position, endIsRecorded } = await call.trailer;
  if (!endIsRecorded) yield Buffer.from(': the end of the exchange could not be put on record\n\n');
  if (position === null) return;
  try {
    await untilReadable(gateway, position);
  } catch (error) {
    // The client has all events by now; only a comment, which parsers skip, can still be sent.
    gateway.logger.warn({ err: error, request_id: request.id }, 'the read model is behind a streamed answer');
    yield Buffer.from(': the exchange is on record, but readers may not see it yet\n\n');
  }
}

/**
 * Headers of an agent's answer that the caller of a stream needs, since no body contains them: what is to be paid and what was paid (x402 v1
 * and v2), which credentials are required, and when to retry.
 */
const passedOn = ['payment-required', 'payment-response', 'x-payment-response', 'www-authenticate', 'retry-after'];

/** RFC 9110 §5.5. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/u;

/** The headers of a streamed answer. @param payVia Where to pay for this call; null if it asks for no payment. */
export function streamHead(head: CallHead, payVia: string | null): Record<string, string> {
  const ofAgent = passedOn.flatMap((name) => {
    const value = head.responseHeaders[name];
    // A client that cannot take so much in headers would lose the whole answer.
    const fits = value !== undefined && value.length <= edgeLimits.streamedHeaderCharsMax && headerValue.test(value);
    return fits ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(ofAgent),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Asks reverse proxies not to buffer.
    'x-accel-buffering': 'no',
    // A stream has no body field for the agent's own status: a 402 or a 500 would look like any other event.
    'x-registry-status-code': String(head.statusCode),
    ...(head.transactionId === null ? {} : { 'x-registry-transaction-id': head.transactionId }),
    ...(payVia === null ? {} : { 'x-registry-pay-via': payVia }),
    ...(head.mcpSessionId === null ? {} : { 'mcp-session-id': head.mcpSessionId }),
  };
}
