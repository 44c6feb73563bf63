import { finished, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { edgeLimits } from '../limits.ts';

/** The text of a JSON array whose entries come in batches, of which one is in memory at a time. */
export async function* jsonArrayText(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const entries of batches) {
    if (entries.length === 0) continue;
    yield separator + entries.map((entry) => JSON.stringify(entry)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/**
 * Answers a listing that may exceed memory as one JSON array. A slow client slows the reading; a client that reads nothing for `stallMs`,
 * or is not done after `totalMs`, is disconnected. If a batch fails, the connection breaks: after a clean end the client would believe that
 * it has everything. @param onBroken gets the error.
 */
export function sendJsonArray(
  reply: FastifyReply,
  batches: AsyncIterable<readonly unknown[]>,
  onBroken: (error: unknown) => void,
  { stallMs, totalMs } = { stallMs: edgeLimits.listingStallMs as number, totalMs: edgeLimits.listingTotalMs as number },
): FastifyReply {
  // Explicit, because the response of a tool's request is not one of the server's, whose timeouts do not apply.
  reply.raw.setTimeout(stallMs, () => void reply.raw.destroy());
  const deadline = setTimeout(() => {
    onBroken(new Error(`the client had not read all of it after ${totalMs} ms`));
    reply.raw.destroy();
  }, totalMs);
  finished(reply.raw, () => clearTimeout(deadline));
  return reply.type('application/json; charset=utf-8').send(Readable.from(heard(jsonArrayText(batches), onBroken)));
}

async function* heard(text: AsyncIterable<string>, onBroken: (error: unknown) => void): AsyncGenerator<string> {
  try {
    yield* text;
  } catch (error) {
    onBroken(error);
    throw error;
  }
}
