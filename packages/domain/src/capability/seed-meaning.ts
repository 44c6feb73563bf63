import type { CapabilityDefinition } from './taxonomy.ts';

/** What a label means: the canonical name, and whether it is that name itself. */
export type LabelMeaning = { canonical: string; how: 'exact' | 'alias' };

/** What a label means by the seed taxonomy, which precedes everything learned, in every universe. `names` are the capabilities that have it. */
export function seedMeaning(label: string, names: readonly string[]): LabelMeaning | null {
  if (names.includes(label)) return { canonical: label, how: 'exact' };
  // While an alias moves from one capability to another it may belong to both for a moment.
  const [first] = names.toSorted();
  return first === undefined ? null : { canonical: first, how: 'alias' };
}

/** The meanings of all labels of the seed taxonomy: names and aliases, in normal form. */
export function seedMeanings(definitions: Iterable<CapabilityDefinition>): ReadonlyMap<string, LabelMeaning> {
  const names = new Map<string, Set<string>>();
  for (const { name, aliases } of definitions) {
    for (const label of [name, ...aliases]) names.set(label, (names.get(label) ?? new Set()).add(name));
  }
  return new Map(
    Array.from(names, ([label, having]) => [label, seedMeaning(label, [...having]) as LabelMeaning] as const),
  );
}
