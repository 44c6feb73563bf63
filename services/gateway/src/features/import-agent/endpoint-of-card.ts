import { endpointUrl } from '@agent-trust/contracts';
import { type CheckTarget, OutboundError } from '@agent-trust/safe-fetch';
import { importLimits } from './limits.ts';
import type { CardInterface } from './read-card.ts';

/** Where the agent answers, or why no address of its card can be taken. */
export type CardEndpoint =
  | { url: string; isRelative: boolean; isResolved: boolean }
  | { url: null; because: 'absent' | 'other_transport' | 'malformed' | 'not_allowed' };

/**
 * The address of a card that the registry could call: the first that is of JSON-RPC, is an http or https URL without user information, and
 * does not lead to where the registry may not go. A name that has no address now may have one when it is called; then it is checked again.
 *
 * @param sourceUrl Where the card was found. Some cards write their address without the host.
 */
export async function endpointOfCard(
  interfaces: readonly CardInterface[],
  sourceUrl: string,
  checkTarget: CheckTarget,
): Promise<CardEndpoint> {
  if (interfaces.length === 0) return { url: null, because: 'absent' };
  const called = interfaces.filter(({ transport }) => isJsonRpc(transport));
  if (called.length === 0) return { url: null, because: 'other_transport' };
  const readable = called.flatMap(({ url }) => readEndpoint(url, sourceUrl) ?? []);
  if (readable.length === 0) return { url: null, because: 'malformed' };
  for (const endpoint of readable.slice(0, importLimits.endpointsCheckedMax)) {
    const verdict = await judge(endpoint.url, checkTarget);
    if (verdict !== 'refused') return { ...endpoint, isResolved: verdict === 'resolved' };
  }
  return { url: null, because: 'not_allowed' };
}

const isJsonRpc = (transport: string): boolean => /^(json[-_ ]?rpc)?$/iu.test(transport.trim());

const readEndpoint = (url: string, sourceUrl: string): { url: string; isRelative: boolean } | null => {
  const isRelative = /^\/(?![/\\])/u.test(url);
  const whole = isRelative ? `${new URL(sourceUrl).origin}${url}` : url;
  // What the URL parser would pass over in silence is refused: control characters, and those that cannot be seen.
  return !/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(whole) && endpointUrl.safeParse(whole).success
    ? { url: whole, isRelative }
    : null;
};

const judge = async (url: string, checkTarget: CheckTarget): Promise<'resolved' | 'unresolved' | 'refused'> => {
  try {
    await checkTarget(url);
    return 'resolved';
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.kind === 'not_allowed' || error.kind === 'invalid_url' ? 'refused' : 'unresolved';
  }
};
