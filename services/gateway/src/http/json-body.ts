import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError, faultAt } from '@agent-trust/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { dropBody, readBody } from './read-body.ts';

/** `application/json` and every `application/*+json`. */
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

/** Takes bodies of any type and keeps nothing of them: clients send an empty JSON body, or an empty form, with a request that takes none. */
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
    if (error instanceof DomainError) throw error;
    throw faultAt('malformed_json', ['body'], 'must be JSON');
  }
};

const parseWhole = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));

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
