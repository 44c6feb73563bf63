import { DomainError, faultAt, holdsRegistryKey, limits } from '@agent-trust/contracts';
import { hopByHopHeaders, outboundLimits } from '@agent-trust/safe-fetch';
import { payLimits } from './limits.ts';

/** Parameters of a pay address that are the registry's own. */
const ownParameters = new Set(['caller_agent_id', 'call_ref']);

const nameOf = (pair: string): string => {
  const name = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
};

/** The query without the registry's own parameters; every other one as it was written. */
export function queryForAgent(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !ownParameters.has(nameOf(pair)))
    .join('&');
}

/**
 * The endpoint with the payer's query behind its own.
 *
 * @throws DomainError validation_failed when that is longer than an address may be.
 */
export function targetUrl(endpointUrl: string, query: string): string {
  if (query === '') return endpointUrl;
  const url = new URL(endpointUrl);
  url.search = url.search === '' ? query : `${url.search}&${query}`;
  if (url.href.length > outboundLimits.urlCharactersMax) {
    throw faultAt('validation_failed', ['query'], 'the query is too long for the address of the agent');
  }
  return url.href;
}

/** The registry's own, or what would tell the agent of the payer's way to it. */
const reserved = [
  'host',
  'cookie',
  'content-length',
  // Bodies are passed on as they come, and what the agent may not say must be readable to be found.
  'accept-encoding',
  'access-control-expose-headers',
  'forwarded',
  'via',
  'x-admin-key',
  'x-real-ip',
  'x-request-id',
  'x-registry-transaction-id',
];
// Signatures cover the registry's own host and path, so to the agent they are broken ones.
const reservedPrefixes = ['signature', 'x-forwarded-', 'payment-', 'sec-'];

/** Payments, which the prefix would drop. */
const payments = new Set(['x-payment', 'payment-signature']);

/**
 * The payer's headers that travel to the agent: end-to-end ones, its own credentials for the agent among them, and none that holds a key of
 * the registry. The gateway lets none of these pass; this holds by itself. Names in lower case.
 */
export function sentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = (headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...hopByHopHeaders, ...reserved, ...named.filter((name) => !payments.has(name))]);
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        !holdsRegistryKey(name) &&
        !holdsRegistryKey(value) &&
        (payments.has(name) || (!dropped.has(name) && !reservedPrefixes.some((prefix) => name.startsWith(prefix)))),
    ),
  );
}

/** The body as it comes, held to the bound of every body. */
async function* bounded(body: AsyncIterable<Uint8Array>, whole: () => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limits.callBodyBytesMax) {
      throw new DomainError('payload_too_large', `the body is larger than ${limits.callBodyBytesMax} bytes`);
    }
    yield chunk;
  }
  whole();
}

/**
 * The payer's body as it is sent: a small one of a declared length in one piece, since some servers take none without a length; any
 * other as it comes.
 *
 * @param whole is called when the payer has sent all of it.
 */
export async function sentBody(
  body: AsyncIterable<Uint8Array>,
  contentLength: string | undefined,
  whole: () => void,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const declared = Number(contentLength ?? Number.NaN);
  if (!(declared <= payLimits.wholeBodyBytesMax)) return bounded(body, whole);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(body, whole)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
