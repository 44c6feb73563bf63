import type { CapabilityDefined, TaxonomyEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';

/** A capability of the seed taxonomy. */
export type CapabilityDefinition = Omit<CapabilityDefined['data'], 'definedAt'>;

/** The defined capabilities, by name. */
type TaxonomyState = ReadonlyMap<string, CapabilityDefinition>;

/** Publishes differences between the seed and the taxonomy's stream. */
export type PublishTaxonomy = {
  type: 'PublishTaxonomy';
  /** The whole seed, in normal form. */
  seed: readonly CapabilityDefinition[];
  /** Limit of events of one append; the command is repeated until it changes nothing. */
  eventsMax: number;
  now: string;
};

/**
 * The differences between the seed and the stream, none if they agree: any number of instances may publish at any time. Removed
 * capabilities come first, so that a name or alias is free before another takes it.
 */
const publishTaxonomy = (command: PublishTaxonomy, state: TaxonomyState): TaxonomyEvent[] => {
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
};

const isSame = (a: CapabilityDefinition, b: CapabilityDefinition | undefined): boolean =>
  b !== undefined &&
  a.category === b.category &&
  a.description === b.description &&
  isSameList(a.aliases, b.aliases) &&
  isSameList(a.phrases, b.phrases);

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

/** The rules of the taxonomy's stream (`taxonomyStream`). */
export const taxonomyDecider: Decider<PublishTaxonomy, TaxonomyState, TaxonomyEvent> = {
  initialState: new Map(),
  evolve: (state, event) => {
    switch (event.type) {
      case 'CapabilityDefined': {
        const { definedAt: _, ...definition } = event.data;
        return new Map(state).set(definition.name, definition);
      }
      case 'CapabilityRetired':
        return new Map([...state].filter(([name]) => name !== event.data.name));
      default:
        return unreachable(event);
    }
  },
  decide: publishTaxonomy,
};
