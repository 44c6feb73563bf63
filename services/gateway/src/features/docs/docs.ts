import {
  buildOpenApi,
  describedRoutes,
  docsFileRoute,
  docsRoute,
  docsSecurity,
  DomainError,
  openApiRoute,
} from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { aboutRegistry } from '../../about-registry.ts';
import { type DocsFile, docsFiles, docsIndex } from './files.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { hasCurrentCopy, publicDocument } from '../../http/public-document.ts';

const docs = endpoint(docsRoute, ({ request, reply }) => answerFile(request, reply, docsIndex));

const docsFile = endpoint(docsFileRoute, async ({ params, request, reply }) => {
  const file = docsFiles.get(params.file);
  if (file === undefined) throw new DomainError('route_not_found', 'there is nothing at this path');
  return answerFile(request, reply, file);
});

const answer = publicDocument((baseUrl) => buildOpenApi(describedRoutes, { ...aboutRegistry, baseUrl }));

const openapi = endpoint(openApiRoute, async ({ request, reply }, gateway) => answer(request, reply, gateway.baseUrl));

/** Answers a part of /docs: as it is or compressed, or 304 to a client that has it. */
async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag, gzipped }: DocsFile,
): Promise<FastifyReply> {
  reply.headers(docsSecurity).header('vary', 'accept-encoding');
  if (hasCurrentCopy(request, reply, etag)) return reply.code(304).send();
  reply.type(type);
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(bytes);
  return reply.header('content-encoding', 'gzip').send(await gzipped());
}

/** Whether gzip is named and not refused (RFC 9110 §12.5.3). */
const takesGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/iu.test(coding));

export const docsEndpoints: readonly Endpoint[] = [docs, docsFile, openapi];
