import { faultAt } from '@agent-trust/contracts';
import { outboundLimits } from '@agent-trust/safe-fetch';

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
