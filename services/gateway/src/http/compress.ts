import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import accepts from 'accepts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const limits = {
  /** Below this, compressing costs more than it saves. */
  bytesMin: 8 * 1024,
  /** Compressed at the same time: as many as zlib has threads. Further answers are sent as they are. */
  atOnceMax: 4,
  /** Kept in compressed form, by coding: the documents of the registry itself, and the files of its web pages. */
  keptMax: 96,
} as const;

type Coding = 'br' | 'gzip';
const codings: Coding[] = ['br', 'gzip'];

const compressBy: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  // The default quality of 11 takes seconds for a megabyte; 5 is smaller and hardly slower than gzip.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

const textual = /^(?:application\/(?:[\w.-]+\+)?json|text\/)/u;

/**
 * Compresses long texts that answer GET by brotli or gzip, whichever the client prefers (RFC 9110 §12.5.3). Only GET: the answers that show a new
 * secret beside what a caller sent answer POST, and lengths of compressed answers tell of secrets beside chosen text (BREACH). Streams
 * and what an agent answered pass unchanged.
 */
export function compressAnswers(app: FastifyInstance): void {
  const kept = new Map<string, Promise<Buffer>>();
  let atOnce = 0;

  const compress = async (coding: Coding, payload: string | Buffer): Promise<Buffer> => {
    atOnce++;
    try {
      return await compressBy[coding](Buffer.from(payload as string));
    } finally {
      atOnce--;
    }
  };

  const keep = (key: string, made: Promise<Buffer>): Promise<Buffer> => {
    const [oldest] = kept.keys();
    if (kept.size >= limits.keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(key, made);
    // What failed is tried again by the next request.
    made.catch(() => kept.delete(key));
    return made;
  };

  const compressed = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || payload.length < limits.bytesMin) return payload;
    if (!textual.test(String(reply.getHeader('content-type')))) return payload;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
    const preferred = accepts(request.raw).encoding([...codings, 'identity']);
    const coding = codings.find((one) => one === preferred);
    if (coding === undefined || request.method === 'HEAD') return payload;

    const etag = reply.getHeader('etag');
    const isPublic = String(reply.getHeader('cache-control')).startsWith('public');
    const key = isPublic && typeof etag === 'string' ? `${coding} ${etag}` : undefined;
    const known = key === undefined ? undefined : kept.get(key);
    if (known === undefined && atOnce >= limits.atOnceMax) return payload;
    const made = known ?? compress(coding, payload);
    const bytes = await (key === undefined || known !== undefined ? made : keep(key, made));
    reply.header('content-encoding', coding);
    // The bytes differ by coding, so the tag is that of the content (RFC 9110 §8.8.3.3).
    if (typeof etag === 'string') reply.header('etag', `W/${etag}`);
    return bytes;
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.compresses === true) route.onSend = compressed;
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether long answers may be compressed. */
    compresses?: boolean;
  }
}
