import { faultAt } from '@agent-trust/contracts';
import { forwardedHeaders, limitBody, readBody } from '@agent-trust/proxy-kit';
import { outboundLimits } from '@agent-trust/safe-fetch';
import { paymentHeaders } from '@agent-trust/x402';
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

/** The query without the registry's own parameters; all others keep their notation. */
export function queryForAgent(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !ownParameters.has(nameOf(pair)))
    .join('&');
}

/** The endpoint with the payer's query appended to its own. Throws DomainError validation_failed if the result is too long. */
export function targetUrl(endpointUrl: string, query: string): string {
  if (query === '') return endpointUrl;
  const url = new URL(endpointUrl);
  url.search = url.search === '' ? query : `${url.search}&${query}`;
  if (url.href.length > outboundLimits.urlCharactersMax) {
    throw faultAt('validation_failed', ['query'], 'the query is too long for the address of the agent');
  }
  return url.href;
}

/** Headers that the client writes itself, or that are for the registry. */
const reserved = ['content-length', 'access-control-expose-headers', 'x-request-id'];

/**
 * The payer's headers that are sent to the agent: end-to-end headers with the payer's credentials for the agent, and payments. The gateway filters
 * them too; this filter does not rely on that.
 */
export function sentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const always = Object.values(paymentHeaders);
  return forwardedHeaders(headers, { reserved, prefixes: ['sec-'], always });
}

/**
 * The payer's body as it is sent: a small one of a declared length in one piece, because some servers require a length; any other as it arrives.
 *
 * @param onSent is called when the payer has sent all of it.
 */
export async function sentBody(
  body: AsyncIterable<Uint8Array>,
  contentLength: string | undefined,
  onSent: () => void,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const isSmall = Number(contentLength ?? Number.NaN) <= payLimits.wholeBodyBytesMax;
  if (!isSmall) return limitUntilSent(body, onSent);
  const whole = await readBody(body);
  onSent();
  return whole;
}

async function* limitUntilSent(body: AsyncIterable<Uint8Array>, onSent: () => void): AsyncGenerator<Uint8Array> {
  yield* limitBody(body);
  onSent();
}
