import type { Readable } from 'node:stream';
import { DomainError, faultAt, holdsRegistryKey, limits } from '@agent-trust/contracts';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
import type { FastifyRequest } from 'fastify';
import { edgeLimits } from '../../limits.ts';

/** Headers with the registry's credentials; by their values they are found in any header. */
const registryHeaders = new Set(['x-admin-key', 'cookie']);

/** The client's headers without the registry's credentials. Names are in lower case. */
export function headersPassedOn({ headers }: FastifyRequest): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || registryHeaders.has(name)) continue;
    const joined = typeof value === 'string' ? value : value.join(', ');
    if (!holdsRegistryKey(name) && !holdsRegistryKey(joined)) passed[name] = joined;
  }
  return passed;
}

/** The query without its question mark. @throws DomainError validation_failed if it contains a key, which the agent would log. */
export function queryPassedOn({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start + 1);
  if (holdsRegistryKey(query)) throw faultAt('validation_failed', ['query'], 'must not hold a key of the registry');
  return query;
}

export type PassedBody = {
  bytes: AsyncIterable<Uint8Array>;
  isStillComing: boolean;
};

/**
 * The body, at most `callBodyBytesMax`; undefined if there is none. A short declared body is read before this resolves, so that its payment
 * counts only afterwards, however slowly it arrives. Any other is passed on as it comes and counted.
 * @throws DomainError payload_too_large, malformed_request for an incomplete body; reading `bytes` may throw the same.
 */
export async function bodyPassedOn({ body, headers }: FastifyRequest): Promise<PassedBody | undefined> {
  if (body === undefined || body === null) return undefined;
  const declared = Number(headers['content-length'] ?? Number.NaN);
  if (declared > limits.callBodyBytesMax) throw tooLarge();
  return declared <= edgeLimits.shortPaymentBytesMax
    ? { bytes: once(await whole(body as Readable)), isStillComing: false }
    : { bytes: bounded(body as Readable), isStillComing: true };
}

/** A body of declared length: the server reads no more than that. */
const whole = async (body: Readable): Promise<Uint8Array> => {
  const bytes = createChunkJoiner();
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) bytes.add(chunk);
  } catch (error) {
    throw brokenOff(error);
  }
  return bytes.joined();
};

const tooLarge = (): DomainError =>
  new DomainError('payload_too_large', `the body is larger than ${limits.callBodyBytesMax} bytes`);

/** The client disconnects, or breaks HTTP, during the body. */
const brokenOff = (cause: unknown): DomainError =>
  new DomainError('malformed_request', 'the body was not sent to its end', { cause });

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* bounded(body: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    // Kept open: the answer uses the same connection, and an agent may answer before it has read everything.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > limits.callBodyBytesMax) {
        throw tooLarge();
      }
      yield chunk;
    }
  } catch (error) {
    throw error instanceof DomainError ? error : brokenOff(error);
  } finally {
    if (!body.readableEnded && !body.destroyed) drop(body);
  }
}

/** Reads the rest of a body, within bounds: the client reads the answer after sending it. */
const drop = (body: Readable): void => {
  let bytes = 0;
  body.on('error', () => {});
  body.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > edgeLimits.rests.bytesMax) body.destroy();
  });
};
