import { docsSecurity } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCurrentCopy } from '../../http/has-current-copy.ts';
import type { DocsFile } from './files.ts';

/** Answers a part of /docs: as it is or compressed, or 304 to a client that has it. */
export async function answerFile(
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
