/** A phrase as numbers of words, and whether the taxonomy has it. `weight` is what it counts. */
export type Example = { words: readonly number[]; isTaxonomy: boolean; weight: number };

const learning = { rounds: 6, rate: 0.05, slowingAfter: 40_000, wordRate: 0.3, ownShrinkage: 0.009 } as const;

/**
 * How much each word speaks for the taxonomy (above 0) or for everyday texts (below): logistic regression over phrases, where a word counts
 * by its vector, so that words that no phrase has count like their neighbours, and by a figure of its own. Both sides count the same,
 * however many their phrases are. The order of the phrases is shuffled by a fixed seed.
 */
export function domainOfWords(vectors: readonly Float64Array[], examples: readonly Example[]): number[] {
  const dimensions = vectors[0]?.length ?? 0;
  const direction = new Float64Array(dimensions);
  const own = new Float64Array(vectors.length);
  const seen = new Float64Array(vectors.length);
  let bias = 0;
  let step = 0;
  const valueOf = (word: number): number =>
    direction.reduce((sum, value, at) => sum + value * (vectors[word]?.[at] ?? 0), own[word] ?? 0);
  const balance = balanceOf(examples);
  const random = randomNumbers(7);
  for (let round = 0; round < learning.rounds; round += 1) {
    for (const { words, isTaxonomy, weight } of shuffled(examples, random)) {
      const root = Math.sqrt(words.length);
      const sum = bias + words.reduce((total, word) => total + valueOf(word), 0) / root;
      const fault = (1 / (1 + Math.exp(-sum)) - (isTaxonomy ? 1 : 0)) * weight * balance(isTaxonomy);
      step += 1;
      const rate = learning.rate / (1 + step / learning.slowingAfter);
      bias -= rate * 0.2 * fault;
      for (const word of words) {
        for (const [at, value] of (vectors[word] ?? []).entries()) {
          direction[at] = (direction[at] ?? 0) - (rate * 0.5 * fault * value) / root;
        }
        const slope = fault / root + learning.ownShrinkage * (own[word] ?? 0);
        seen[word] = (seen[word] ?? 0) + slope * slope;
        own[word] = (own[word] ?? 0) - (learning.wordRate * slope) / Math.sqrt(1 + (seen[word] ?? 0));
      }
    }
  }
  return vectors.map((_, word) => valueOf(word));
}

function balanceOf(examples: readonly Example[]): (isTaxonomy: boolean) => number {
  const total = (side: boolean): number =>
    examples.reduce((sum, { isTaxonomy, weight }) => sum + (isTaxonomy === side ? weight : 0), 0);
  const [taxonomy, everyday] = [total(true), total(false)];
  return (isTaxonomy) => examples.length / 2 / (isTaxonomy ? taxonomy : everyday);
}

/** Numbers from 0 to 1 that are the same at every run (a linear congruential generator: Knuth, TAOCP 2, 3.2.1). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
