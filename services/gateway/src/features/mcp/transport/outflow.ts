import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { mcpLimits } from '../limits.ts';

/** Answer bodies that are written faster than clients read them. Their buffered bytes and their duration are bounded. */
export type Outflow = {
  open(): OutflowBody;
};

export type OutflowBody = {
  readonly body: Readable;
  /** Whether the client has read all that was written. */
  isEmpty(): boolean;
  /** Writes, or destroys the body if too much is buffered. */
  write(piece: string | Uint8Array): void;
  end(): void;
};

/**
 * @param ownMax Bytes that may wait in one body; a longer piece finds it empty.
 * @param allMax Bytes that may wait in all of them.
 */
export function createOutflow({ ownMax, allMax }: { ownMax: number; allMax: number }): Outflow {
  const bodies = new Set<PassThrough>();
  /** An upper bound, so that the buffers are not summed at each write. */
  let atMost = 0;
  const hasRoomFor = (bytes: number): boolean => {
    if (atMost + bytes > allMax) {
      atMost = 0;
      for (const body of bodies) atMost += waitingIn(body);
    }
    return atMost + bytes <= allMax;
  };
  return {
    open: () => {
      const body = new PassThrough();
      bodies.add(body);
      body.once('close', () => bodies.delete(body));
      body.on('error', () => undefined);
      return {
        body,
        isEmpty: () => waitingIn(body) === 0,
        write: (piece) => {
          if (body.writableEnded || body.destroyed) return;
          const bytes = Buffer.from(piece);
          const own = waitingIn(body);
          if ((own > 0 && own + bytes.length > ownMax) || !hasRoomFor(bytes.length)) {
            body.destroy(new Error('the client does not read what it asked for'));
            return;
          }
          atMost += bytes.length;
          // In one piece it would be buffered in the connection, unseen.
          for (let at = 0; at < bytes.length; at += pieceBytes) body.write(bytes.subarray(at, at + pieceBytes));
        },
        end: () => void body.end(),
      };
    },
  };
}

const pieceBytes = 64 * 1024;
/** Passing pieces count twice, on the safe side. */
const waitingIn = (body: PassThrough): number => body.writableLength + body.readableLength;

/** Sends a body; a client that reads nothing for a while is disconnected. A live stream always has something to read. */
export function sendOutflow(reply: FastifyReply, body: Readable, stallMs: number = mcpLimits.stallMs): FastifyReply {
  reply.raw.setTimeout(stallMs, () => void reply.raw.destroy());
  return reply.send(body);
}
