import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { eventsLimits } from './limits.ts';

/**
 * Sends a stream of text as it comes. Written by hand, since fastify would hold the headers back until the first of it. A stream that
 * fails breaks the connection: a clean end would tell the client that it has everything.
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
    // A connection that was a stream for hours is not worth keeping, and a gateway that stops must not wait for it.
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
