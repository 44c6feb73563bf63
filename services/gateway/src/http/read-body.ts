import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError, faultAt, limits } from '@agent-trust/contracts';
import { budgetOf, isJson, JsonBoundsError, watchBounds } from '@agent-trust/json-text';
import { type ChunkJoiner, createChunkJoiner } from '@agent-trust/safe-fetch';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, errorCodes } from 'fastify';
import { edgeLimits } from '../limits.ts';
import { isLongBody } from './held-body.ts';

const jsonTypes = ['application/json', /^application\/[a-z0-9!#$&^_.-]+\+json(;|$)/iu] as const;

/**
 * Makes JSON the only body that the server takes. A `__proto__` key is an unknown field like any other: JSON.parse makes it a
 * plain property, and no code assigns the fields of a body to another object.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of jsonTypes) {
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) =>
      parseJsonBody(request, await readBody(request, payload)),
    );
  }
}

/** Ignores bodies of any type: clients send an empty JSON body, or an empty form, with a request that takes none. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', dropBody);
}

const parseJsonBody = (request: FastifyRequest, bytes: Buffer): unknown => {
  requireUtf8Identity(request);
  if (bytes.length === 0) throw faultAt('malformed_json', ['body'], 'must not be empty');
  if (!isUtf8(bytes)) throw faultAt('malformed_json', ['body'], 'must be UTF-8');
  if (request.routeOptions.config.keepsRawBody) request.rawBody = bytes;
  try {
    return (request.routeOptions.config.parsesBody ?? parseWhole)(bytes);
  } catch (error) {
    if (error instanceof JsonBoundsError) throw beyondBounds(error);
    throw faultAt('malformed_json', ['body'], 'must be JSON');
  }
};

const parseWhole = (bytes: Buffer): unknown => {
  // Before anything is made of it: a mebibyte of small values takes JSON.parse and a schema a tenth of a second.
  if (!isJson(bytes, budgetOf(limits.bodyMembersMax, limits.bodyNestingMax))) throw new SyntaxError('not JSON');
  return JSON.parse(bytes.toString('utf8'));
};

const beyondBounds = ({ path, message }: JsonBoundsError): DomainError =>
  faultAt('validation_failed', ['body', ...path], message);

const requireUtf8Identity = ({ headers }: FastifyRequest): void => {
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json') {
    const charset = /;\s*charset\s*=\s*"?([^";\s]*)/iu.exec(type)?.[1]?.toLowerCase();
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
      throw new DomainError('unsupported_media_type', 'the body must be JSON in UTF-8');
    }
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'the body must not be compressed');
  }
};

/**
 * The body of a request, up to its route's limit; of JSON that exceeds its bounds what leads up to the excess. fastify's own reader keeps each
 * chunk: a body in single bytes would take a hundred times its size.
 * @throws FST_ERR_CTP_BODY_TOO_LARGE, FST_ERR_CTP_INVALID_CONTENT_LENGTH; errors of the stream with status code 400.
 */
const readBody = async (request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> => {
  const { heldBody } = request;
  // A short body is refused soon enough by its reader.
  const excessIn = heldBody === null ? null : watchBounds(limits.bodyMembersMax, limits.bodyNestingMax);
  let body: ChunkJoiner | undefined;
  await takeIn(request, payload, (chunk, declared) => {
    const end = excessIn?.(chunk) ?? null;
    // Copies of ten MiB, from smaller into larger room, take longer than all else that is done with them.
    body ??= createChunkJoiner(heldBody === null ? 0 : declared);
    body.add(end === null ? chunk : chunk.subarray(0, end));
    if (end !== null) heldBody?.pace?.charge(limits.callBodyBytesMax);
    return end === null;
  });
  return body?.joined() ?? Buffer.alloc(0);
};

/** Reads and drops a body, up to its route's limit. */
function dropBody(request: FastifyRequest, payload: IncomingMessage): Promise<void> {
  return takeIn(request, payload, () => true);
}

/** @param onChunk Gets a part of a body of so many bytes, 0 if it is not known. Returns whether it takes more. */
const takeIn = async (
  { headers, routeOptions, heldBody }: FastifyRequest,
  payload: IncomingMessage,
  onChunk: (chunk: Buffer, declared: number) => boolean,
): Promise<void> => {
  const declared = Number(headers['content-length']);
  const bytesMax = routeOptions.bodyLimit;
  if (declared > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  let countsInFull = heldBody === null || !Number.isNaN(declared);
  // Before anything of it is held. A body of undeclared length counts once it is long, then in full.
  if (heldBody !== null && countsInFull) {
    await heldBody.hold(declared);
    if (payload.destroyed) throw brokenOff(payload.errored);
  }
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let stopPace = heldBody?.pace?.slow(payload);
    let isSettled = false;
    const settle = (error?: Error): void => {
      isSettled = true;
      stopPace?.();
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      if (error === undefined) resolve();
      else reject(error);
    };
    /** Leaves the rest to whoever drops it (`dropRestsSlowly`). */
    const leave = (error?: Error): void => {
      payload.pause();
      settle(error);
    };
    const waitForRoom = (): void => {
      // It would go on too soon.
      stopPace?.();
      payload.pause();
      heldBody?.hold(bytesMax).then(() => {
        if (isSettled) return;
        stopPace = heldBody.pace?.slow(payload);
        payload.resume();
      }, leave);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) return leave(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      if (!countsInFull && isLongBody(bytes)) {
        countsInFull = true;
        waitForRoom();
      }
      if (!onChunk(chunk, declared || 0)) leave();
    };
    const onEnd = (): void =>
      settle(
        !Number.isNaN(declared) && bytes !== declared ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : undefined,
      );
    const onError = (error: Error): void => settle(brokenOff(error));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
    payload.resume();
  });
};

const brokenOff = (error: Error | null): Error =>
  Object.assign(error ?? new Error('the client left'), { statusCode: 400 });

/** Lets a client that may still be sending read its refusal: fastify would close its connection, and a reset would lose the answer. */
export function keepWhileSending({ headers }: FastifyRequest, reply: FastifyReply): void {
  const declared = Number(headers['content-length'] ?? 0);
  if (declared <= edgeLimits.rests.bytesMax) reply.removeHeader('connection');
  // A longer rest is not read.
  else reply.header('connection', 'close');
}
