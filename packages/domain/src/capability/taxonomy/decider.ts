import type { TaxonomyEvent } from '@agent-trust/contracts';
import type { Decider } from '../../decider.ts';
import { type PublishTaxonomy, publishTaxonomy } from './publish.ts';
import { evolveTaxonomy, type TaxonomyState } from './state.ts';

/** The rules of the taxonomy's stream (`taxonomyStream`). */
export const taxonomyDecider: Decider<PublishTaxonomy, TaxonomyState, TaxonomyEvent> = {
  initialState: new Map(),
  evolve: evolveTaxonomy,
  decide: publishTaxonomy,
};
