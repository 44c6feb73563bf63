import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { eventsLimits } from './event-query.ts';

/**
 * Sends a stream of text as it comes, past fastify, which would delay the headers until the first text. A stream that fails breaks the
 * connection: after a clean end the client would believe that it has everything.
 */
export async function sendByHand(
  gateway: Gateway,
  reply: FastifyReply,
  contentType: string,
  content: Readable,
): Promise<void> {
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    'content-type': `${contentType}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // A gateway that stops must not wait for the connection.
    connection: 'close',
  });
  response.flushHeaders();
  response.setTimeout(eventsLimits.stallMs, () => void response.destroy());
  try {
    await pipeline(content, response);
  } catch (error) {
    response.destroy();
    gateway.logger.info({ err: error, request_id: reply.request.id }, 'a stream of events broke off');
  }
}
