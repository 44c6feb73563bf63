import type { TaxonomyEvent } from '@agent-trust/contracts';
import type { CapabilityDefinition, TaxonomyState } from './state.ts';

/** Brings the taxonomy's stream to what the seed says, or some of the way. */
export type PublishTaxonomy = {
  type: 'PublishTaxonomy';
  /** The whole seed, in normal form. */
  seed: readonly CapabilityDefinition[];
  /** Differences to publish at a time: one append must hold them. The command is repeated until it changes nothing. */
  eventsMax: number;
  now: string;
};

/**
 * The differences between the seed and what the stream says, and nothing where they agree: any number of instances may publish at any
 * time. What left the seed goes first, so that a name or alias is free before somebody else takes it.
 */
export function publishTaxonomy(command: PublishTaxonomy, state: TaxonomyState): TaxonomyEvent[] {
  const wanted = new Set(command.seed.map(({ name }) => name));
  const retired = [...state.values()]
    .filter(({ name }) => !wanted.has(name))
    .map(({ name }): TaxonomyEvent => ({ type: 'CapabilityRetired', data: { name, retiredAt: command.now } }));
  const defined = command.seed
    .filter((capability) => !isSame(capability, state.get(capability.name)))
    .map(
      ({ name, category, description, aliases, phrases }): TaxonomyEvent => ({
        type: 'CapabilityDefined',
        data: { name, category, description, aliases: [...aliases], phrases: [...phrases], definedAt: command.now },
      }),
    );
  return [...retired, ...defined].slice(0, command.eventsMax);
}

const isSame = (a: CapabilityDefinition, b: CapabilityDefinition | undefined): boolean =>
  b !== undefined &&
  a.category === b.category &&
  a.description === b.description &&
  isSameList(a.aliases, b.aliases) &&
  isSameList(a.phrases, b.phrases);

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);
