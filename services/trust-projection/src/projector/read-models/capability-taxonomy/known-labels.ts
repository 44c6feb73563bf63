import { production } from '@agent-trust/contracts';
import { type LabelMeaning, seedMeaning } from '@agent-trust/domain';
import { universeKey } from '../universe-key.ts';

/** Something that is known of a label. `universe` is null for the seed taxonomy, which is known everywhere. */
export type KnownLabel = {
  label: string;
  source: 'seed' | 'learned_name' | 'learned_alias';
  universe: string | null;
  /** The canonical name that it leads to. */
  name: string;
};

export const productionKey: string = universeKey(production);

/**
 * What a label means in a universe; `known` may hold labels of other universes. The seed taxonomy precedes what was learned, and what a
 * sandbox has learned precedes what production has. A learned alias precedes the same name: it is only learned while nothing else has that
 * name, so its meaning does not change for its users when an agent brings the name later.
 */
export function meaningOf(known: readonly KnownLabel[], universe: string): LabelMeaning | null {
  const seen = known.filter((label) => [null, universe, productionKey].includes(label.universe));
  const from = (source: KnownLabel['source']): KnownLabel[] => seen.filter((label) => label.source === source);
  const seed = from('seed');
  const meaning = seedMeaning(
    seed[0]?.label ?? '',
    seed.map(({ name }) => name),
  );
  if (meaning !== null) return meaning;
  for (const scope of [universe, productionKey]) {
    const alias = from('learned_alias').find((label) => label.universe === scope);
    if (alias !== undefined) return { canonical: alias.name, how: 'alias' };
    const name = from('learned_name').find((label) => label.universe === scope);
    if (name !== undefined) return { canonical: name.name, how: 'exact' };
  }
  return null;
}
