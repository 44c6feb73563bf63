import { normaliseCapabilityName } from '@agent-trust/contracts';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EvalPhrase, loadPhrases, phraseSets } from './phrases.ts';

/*
 * Bug: the evaluation measures itself, because a phrase was copied into the aliases or sample phrases, or is in both sets.
 * Method: compare all of them in normal form.
 */
describe('the phrases of the evaluation', () => {
  let sets: EvalPhrase[][];
  let all: EvalPhrase[];
  beforeAll(async () => {
    sets = await Promise.all(phraseSets.map(loadPhrases));
    all = sets.flat();
  });

  it('are numerous enough for each kind', () => {
    const counted = sets.map((set) => set.filter(({ expected }) => expected.length > 0).length);
    expect(counted.every((count) => count >= 100)).toBe(true);
    expect(all.filter(({ expected }) => expected.length === 0).length).toBeGreaterThanOrEqual(200);
  });

  it('are all different', () => {
    const names = all.map(({ phrase }) => normaliseCapabilityName(phrase));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('do not appear in the taxonomy in any spelling', async () => {
    const taxonomy = await loadTaxonomy();
    const known = new Set(
      taxonomy.flatMap(({ name, aliases, phrases }) => [name, ...aliases, ...phrases].map(normaliseCapabilityName)),
    );
    expect(all.filter(({ phrase }) => known.has(normaliseCapabilityName(phrase)))).toEqual([]);
  });

  it('expect existing capabilities', async () => {
    const names = new Set((await loadTaxonomy()).map(({ name }) => name));
    expect(all.flatMap(({ expected }) => expected).filter((name) => !names.has(name))).toEqual([]);
  });
});
