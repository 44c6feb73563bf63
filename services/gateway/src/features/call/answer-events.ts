import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { type CallParties, payReference } from './call-response.ts';
import { failedExchange } from './failed-call.ts';
import type { OpenedCall } from './open-call.ts';
import { streamHead } from './stream-head.ts';

/**
 * Passes an agent's server-sent events on as they come; a slow client slows the agent, through every hop. The answer ends when the
 * exchange is on record and readable, so whoever has read it to its end may review it. An answer that breaks off breaks the
 * connection: a clean end would tell the client that it has everything.
 */
export async function answerEvents(
  gateway: Gateway,
  reply: FastifyReply,
  parties: CallParties,
  call: OpenedCall,
): Promise<void> {
  const payVia = await payableReference(gateway, reply, parties, call);
  // Written by hand, since fastify would hold the headers back until the first event.
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, streamHead(call.head, payVia));
  response.flushHeaders();
  try {
    await pipeline(Readable.from(events(gateway, reply, call), { objectMode: false }), response);
  } catch (error) {
    // The client has left, or the agent has broken off: told to the client by the broken connection, to us by the log.
    gateway.logger.info({ err: error, request_id: reply.request.id }, 'a streamed answer broke off');
  }
}

/**
 * Where to pay for a call whose agent asks for it, once the call can be paid for: the address names the exchange, and a payment that comes
 * before readers see it would be nobody's. Null for a call that asks for no payment, and for one whose exchange they do not see in time.
 */
const payableReference = async (
  gateway: Gateway,
  reply: FastifyReply,
  parties: CallParties,
  { head }: OpenedCall,
): Promise<string | null> => {
  if (head.statusCode !== 402) return null;
  if (head.transactionId !== null) {
    if (head.position === null) return null;
    try {
      await untilReadable(gateway, reply.request, head.position);
    } catch (error) {
      gateway.logger.warn({ err: error, request_id: reply.request.id }, 'a streamed call cannot be paid for yet');
      return null;
    }
  }
  return payReference(parties, head, gateway.baseUrl);
};

async function* events(gateway: Gateway, reply: FastifyReply, call: OpenedCall): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of call.body) yield chunk;
  } catch (error) {
    const position = failedExchange(error)?.position;
    if (position != null) await untilReadable(gateway, reply.request, position);
    throw error;
  }
  const { position, endIsRecorded } = await call.trailer;
  if (!endIsRecorded) yield Buffer.from(': the end of the exchange could not be put on record\n\n');
  if (position === null) return;
  try {
    await untilReadable(gateway, reply.request, position);
  } catch (error) {
    // All events are with the client by now; a comment (which no parser shows) is what can still be said.
    gateway.logger.warn({ err: error, request_id: reply.request.id }, 'the read model is behind a streamed answer');
    yield Buffer.from(': the exchange is on record, but readers may not see it yet\n\n');
  }
}
