import { capabilityName, type WeightedCapability } from '@agent-trust/contracts';
import { type Members, memberOf, textOf } from './card-fields.ts';
import { importLimits } from './limits.ts';
import { shownText } from './shown-text.ts';

/** Weights in the order of a card's skills: as many of each as an agent may have. */
const weights = [3, 2, 2, 1, 1, 1];

export type ImportedCapabilities = {
  capabilities: WeightedCapability[];
  /** Capabilities for which there was no weight left. */
  beyond: string[];
  /** Skills without any text that could name a capability. */
  nameless: number;
};

/**
 * The skills of a card as capabilities. Cards do not weigh their skills, so their order decides: the first one weighs 3, the next two 2,
 * three more 1. A name that comes again is one capability.
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

/** A skill's id is a word for it, mostly, as a capability's name is; where it is a number or a key, the name is, else a tag. */
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

/** `priceQuote` is two words, which the lower case of a capability's name would run together; `GitHub search` is how a name is written. */
const withWordBorders = (text: string): string =>
  /^\p{Ll}[\p{L}\d]*$/u.test(text) ? text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu}\p{Ll})/gu, '_') : text;

/** `7`, `skill-1`, a UUID or a digest say nothing of what is done. */
const isOpaque = (id: string): boolean =>
  !/\p{L}{2}/u.test(id) ||
  /^(?:skill|tool|task|function|default)?[\s_-]*\d*$/iu.test(id.trim()) ||
  /^[0-9a-f-]{16,}$/iu.test(id.trim());
