import type { CapabilityDefined, TaxonomyEvent } from '@agent-trust/contracts';
import { unreachable } from '../../decider.ts';

/** A capability as the seed taxonomy has it. */
export type CapabilityDefinition = Omit<CapabilityDefined['data'], 'definedAt'>;

/** The capabilities that the stream defines at present, by name. */
export type TaxonomyState = ReadonlyMap<string, CapabilityDefinition>;

export function evolveTaxonomy(state: TaxonomyState, event: TaxonomyEvent): TaxonomyState {
  switch (event.type) {
    case 'CapabilityDefined': {
      const { definedAt: _, ...definition } = event.data;
      return new Map(state).set(definition.name, definition);
    }
    case 'CapabilityRetired': {
      const { name } = event.data;
      return new Map([...state].filter(([other]) => other !== name));
    }
    default:
      return unreachable(event);
  }
}
