import { stemOf } from '../../projector/read-models/capability-taxonomy/words.ts';
import type { WordVectors } from './glove.ts';

/** A stem with the direction in which its words lie from the mean of all, of length 1, and what it counts in a phrase (0–1). */
export type StemVector = { stem: string; vector: Float64Array; weight: number };

/** Words behind this place are taken only if they are English or in the taxonomy. */
const anyWordsMax = 60_000;
/** A word's frequency by its place: Zipf's law, with the sum of all near 1. */
const frequencyOf = (place: number): number => 1 / (12 * (place + 10));
/** Words that are more frequent count less than half (Arora et al., 2017). */
const halfWeightFrequency = 1e-3;
/** How much earlier general English is taken than names and products of the same frequency. */
const otherWordsLater = 3;

/**
 * One vector for all words of a stem, the frequent ones first in it: of the taxonomy's stems, then of the most frequent others.
 *
 * @param words the most frequent first
 */
export function stemVectors(
  words: WordVectors,
  by: { stemsMax: number; inTaxonomy: ReadonlySet<string>; isEnglish: (word: string) => boolean },
): StemVector[] {
  const found = new Map<string, { sum: Float64Array; frequency: number; place: number; isEnglish: boolean }>();
  for (const [place, { word, vector }] of words.entries()) {
    const stem = stemOf(word);
    const isEnglish = by.isEnglish(word);
    if (place >= anyWordsMax && !isEnglish && !by.inTaxonomy.has(stem)) continue;
    const held = found.get(stem) ?? { sum: new Float64Array(vector.length), frequency: 0, place, isEnglish };
    const frequency = frequencyOf(place);
    for (const [at, value] of vector.entries()) held.sum[at] = (held.sum[at] ?? 0) + frequency * value;
    held.frequency += frequency;
    held.isEnglish ||= isEnglish;
    found.set(stem, held);
  }
  const rankOf = (stem: string, place: number, isEnglish: boolean): number =>
    by.inTaxonomy.has(stem) ? -1 : isEnglish ? place : place * otherWordsLater;
  const chosen = [...found]
    .filter(([stem]) => by.inTaxonomy.has(stem) || /^[a-z]+$/.test(stem))
    .toSorted(
      ([a, heldA], [b, heldB]) => rankOf(a, heldA.place, heldA.isEnglish) - rankOf(b, heldB.place, heldB.isEnglish),
    )
    .slice(0, by.stemsMax)
    .map(([stem, { sum, frequency }]) => ({ stem, frequency, vector: sum.map((value) => value / frequency) }));
  const mean = meanOf(chosen.map(({ vector }) => vector));
  return chosen.map(({ stem, frequency, vector }) => {
    const centred = vector.map((value, at) => value - (mean[at] ?? 0));
    const length = Math.hypot(...centred) || 1;
    const weight = halfWeightFrequency / (halfWeightFrequency + frequency);
    return { stem, weight, vector: centred.map((value) => value / length) };
  });
}

function meanOf(vectors: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / vectors.length;
  }
  return mean;
}
