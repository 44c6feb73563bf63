import type { IncomingMessage } from 'node:http';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
import { errorCodes, type FastifyRequest } from 'fastify';

/**
 * The whole body of a request, up to what its route takes. fastify's own reading keeps each chunk as it comes, and a chunk is as short as its
 * sender likes: a body in single bytes would take a hundred times its size.
 *
 * @throws FST_ERR_CTP_BODY_TOO_LARGE; FST_ERR_CTP_INVALID_CONTENT_LENGTH; with status code 400 what breaks off the body.
 */
export async function readBody(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const body = createChunkJoiner();
  await takeIn(request, payload, (chunk) => body.add(chunk));
  return body.joined();
}

/** Reads a body that nobody looks at, up to what its route takes. Nothing of it is kept. */
export function dropBody(request: FastifyRequest, payload: IncomingMessage): Promise<void> {
  return takeIn(request, payload, () => undefined);
}

const takeIn = (
  { headers, routeOptions }: FastifyRequest,
  payload: IncomingMessage,
  onChunk: (chunk: Buffer) => void,
): Promise<void> => {
  const declared = Number(headers['content-length']);
  const bytesMax = routeOptions.bodyLimit;
  if (declared > bytesMax) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const settle = (error?: Error): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      // What still comes flows away unseen: the client reads its answer when it has sent all, or the server ends the connection.
      if (bytes > bytesMax) settle(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      else onChunk(chunk);
    };
    const onEnd = (): void =>
      settle(
        !Number.isNaN(declared) && bytes !== declared ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : undefined,
      );
    const onError = (error: Error): void => settle(Object.assign(error, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
    payload.resume();
  });
};
