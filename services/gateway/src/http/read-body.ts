import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError, faultAt, limits } from '@agent-trust/contracts';
import { budgetOf, isJson, JsonBoundsError } from '@agent-trust/json-text';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
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
 * The whole body of a request, up to its route's limit. fastify's own reader keeps each chunk: a body in single bytes would take a hundred
 * times its size. @throws FST_ERR_CTP_BODY_TOO_LARGE, FST_ERR_CTP_INVALID_CONTENT_LENGTH; errors of the stream with status code 400.
 */
export async function readBody(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const body = createChunkJoiner();
  await takeIn(request, payload, (chunk) => body.add(chunk));
  return body.joined();
}

/** Reads and drops a body, up to its route's limit. */
function dropBody(request: FastifyRequest, payload: IncomingMessage): Promise<void> {
  return takeIn(request, payload, () => undefined);
}

const takeIn = async (
  { headers, routeOptions, heldBody }: FastifyRequest,
  payload: IncomingMessage,
  onChunk: (chunk: Buffer) => void,
): Promise<void> => {
  const declared = Number(headers['content-length']);
  const bytesMax = routeOptions.bodyLimit;
  if (declared > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  // Before anything of it is held. A body of undeclared length counts once it is long, then in full.
  if (!Number.isNaN(declared)) heldBody?.hold(declared);
  let countsInFull = !Number.isNaN(declared);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const settle = (error?: Error): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      // The rest is read and dropped: the client reads its answer when it has sent all, or the server ends the connection.
      if (bytes > bytesMax) return settle(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      if (!countsInFull && isLongBody(bytes)) {
        countsInFull = true;
        try {
          heldBody?.hold(bytesMax);
        } catch (error) {
          return settle(error as Error);
        }
      }
      onChunk(chunk);
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

/** Lets a client that may still be sending read its refusal: fastify would close its connection, and a reset would lose the answer. */
export function keepWhileSending({ headers }: FastifyRequest, reply: FastifyReply): void {
  const declared = Number(headers['content-length'] ?? 0);
  if (declared <= edgeLimits.drainedBytesMax) reply.removeHeader('connection');
  // A longer rest is not read.
  else reply.header('connection', 'close');
}
