import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import type { OpenedRelay } from './open-relay.ts';

/**
 * Passes an agent's answer on as it comes. One that tells of a settlement is sent when readers see it, or at the latest when they should
 * have: it is paid for, so nothing of the registry's may come in its place.
 */
export async function answerRelayed(gateway: Gateway, reply: FastifyReply, relay: OpenedRelay): Promise<FastifyReply> {
  const { head } = relay;
  if (head.position !== null) {
    try {
      await untilReadable(gateway, reply.request, head.position);
    } catch (error) {
      gateway.logger.warn({ err: error, request_id: reply.request.id }, 'readers may not see a settlement yet');
    }
  }
  return (
    reply
      .code(head.statusCode)
      .headers(head.headers)
      .header('x-registry-attribution', head.attribution)
      // What an agent serves runs, if a browser shows it at all, as nobody's: never as a page of the registry.
      .header('content-security-policy', 'sandbox allow-scripts')
      .send(Readable.from(relay.body, { objectMode: false }))
  );
}
