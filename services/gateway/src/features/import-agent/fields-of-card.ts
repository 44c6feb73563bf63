import { capabilityName, type WeightedCapability, endpointUrl } from '@agent-trust/contracts';
import { type CheckTarget, OutboundError } from '@agent-trust/safe-fetch';
import { type Members, memberOf, textOf, type CardInterface, shownText } from './read-card.ts';
import { importLimits } from './limits.ts';

/** Weights in the order of a card's skills: as many of each as an agent may have. */
const weights = [3, 2, 2, 1, 1, 1];

export type ImportedCapabilities = {
  capabilities: WeightedCapability[];
  /** Capabilities for which no weight is left. */
  beyond: string[];
  /** Skills without any text that could name a capability. */
  nameless: number;
};

/**
 * The skills of a card as capabilities. Cards have no weights, so their order decides: 3 for the first skill, 2 for the next two, 1 for
 * three more. Repeated names are one capability.
 */
export function capabilitiesOfSkills(skills: readonly Members[]): ImportedCapabilities {
  const named = skills.map(capabilityNameOf);
  const names = [...new Set(named.filter((name) => name !== null))];
  return {
    capabilities: weights.flatMap((weight, index) => {
      const name = names[index];
      return name === undefined ? [] : [{ name, weight }];
    }),
    beyond: names.slice(weights.length),
    nameless: named.filter((name) => name === null).length,
  };
}

/** A skill's id is usually a word, as a capability's name is; for a number or a key, its name is used, else a tag. */
const capabilityNameOf = (skill: Members): string | null => {
  const tags = memberOf(skill, 'tags');
  const id = textOf(skill, 'id');
  const candidates = [
    ...(id === undefined || isOpaque(id) ? [] : [id]),
    textOf(skill, 'name'),
    ...(Array.isArray(tags) ? tags.slice(0, importLimits.tagsMax) : []),
  ];
  for (const candidate of candidates) {
    const name =
      typeof candidate === 'string' ? capabilityName.safeParse(withWordBorders(shownText(candidate))) : undefined;
    if (name?.success === true && /\p{L}/u.test(name.data)) return name.data;
  }
  return null;
};

/** `priceQuote` is two words, which lower case would join; `GitHub search` stays as it is written. */
const withWordBorders = (text: string): string =>
  /^\p{Ll}[\p{L}\d]*$/u.test(text) ? text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu}\p{Ll})/gu, '_') : text;

/** `7`, `skill-1`, a UUID or a digest name no capability. */
const isOpaque = (id: string): boolean =>
  !/\p{L}{2}/u.test(id) ||
  /^(?:skill|tool|task|function|default)?[\s_-]*\d*$/iu.test(id.trim()) ||
  /^[0-9a-f-]{16,}$/iu.test(id.trim());

/** The endpoint of an agent, or why no address of its card is usable. */
export type CardEndpoint =
  | { url: string; isRelative: boolean; isResolved: boolean }
  | { url: null; because: 'absent' | 'other_transport' | 'malformed' | 'not_allowed' };

/**
 * The first address of a card that the registry could call: for JSON-RPC, http or https, without user information, and an allowed target. A
 * name may have no address yet; it is checked again when it is called. @param sourceUrl Where the card was found; some cards omit the host.
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
  // The URL parser would ignore these: control and invisible characters.
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
