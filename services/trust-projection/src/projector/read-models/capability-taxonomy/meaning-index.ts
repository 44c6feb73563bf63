import { genericWords } from './vocabulary.ts';
import { stemOf } from './words.ts';
import { meaningOf } from './word-table.ts';
import { tableShape } from './word-table-format.ts';

/** What a generic word counts of what it would. */
const genericWeight = 0.3;
/** How many of a capability's texts have to be near. */
const nearestTexts = 3;
const unitLength = 127;

const generic: ReadonlySet<string> = new Set(genericWords.map(stemOf));

/** What a phrase means. */
export type PhraseMeaning = {
  /** Of length 1; null if none of its words is in the table. */
  vector: Float32Array | null;
  /** The sum of its words' domains by the root of their number, and the least of them. */
  domain: number;
  domainMin: number;
};

/** How near a phrase is to a capability (−1 to 1): to the texts of it that are nearest, and to the middle of all. */
export type Nearness = { texts: number; centre: number };

/** What the words of a phrase mean together: the sum of their vectors by weight (Arora et al., 2017). */
export function phraseMeaning(stems: readonly string[]): PhraseMeaning {
  const sum = new Float32Array(tableShape.dimensions);
  let [known, count, domain, domainMin] = [false, 0, 0, Number.POSITIVE_INFINITY];
  for (const stem of new Set(stems)) {
    const meaning = meaningOf(stem);
    if (meaning === undefined) continue;
    known = true;
    const weight = meaning.weight * (generic.has(stem) ? genericWeight : 1);
    addTo(sum, meaning.vector, weight);
    if (generic.has(stem)) continue;
    count += 1;
    domain += meaning.domain;
    domainMin = Math.min(domainMin, meaning.domain);
  }
  const vector = known ? scaledTo(sum, 1) : null;
  return { vector, domain: count === 0 ? 0 : domain / Math.sqrt(count), domainMin: count === 0 ? 0 : domainMin };
}

/** The texts of capabilities by what they mean. Capabilities are numbered in the order in which they are added. */
export class MeaningIndex {
  readonly #texts: Int8Array[] = [];
  readonly #centres: Int8Array[] = [];

  /** @param texts the stems of each of a capability's texts */
  add(texts: readonly (readonly string[])[]): void {
    const vectors = texts.flatMap((stems) => phraseMeaning(stems).vector ?? []);
    const centre = new Float32Array(tableShape.dimensions);
    for (const vector of vectors) addTo(centre, vector, 1);
    this.#centres.push(Int8Array.from(scaledTo(centre, unitLength), Math.round));
    const bytes = new Int8Array(vectors.length * tableShape.dimensions);
    for (const [at, vector] of vectors.entries()) {
      bytes.set(scaledTo(vector, unitLength).map(Math.round), at * tableShape.dimensions);
    }
    this.#texts.push(bytes);
  }

  /** How near a phrase is to the middle of each capability's texts (−1 to 1). */
  centres(vector: Float32Array): number[] {
    return this.#centres.map((centre) => product(centre, 0, vector));
  }

  /** How near the nearest texts of a capability are (0–1), on average. */
  texts(capability: number, vector: Float32Array): number {
    const texts = this.#texts[capability] ?? new Int8Array();
    let [first, second, third] = [0, 0, 0];
    for (let from = 0; from < texts.length; from += vector.length) {
      const near = product(texts, from, vector);
      if (near > first) [first, second, third] = [near, first, second];
      else if (near > second) [second, third] = [near, second];
      else if (near > third) third = near;
    }
    return (first + second + third) / nearestTexts;
  }
}

/** Of one vector among others; kept to one kind of array, so that it stays fast. */
const product = (vectors: Int8Array, from: number, vector: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vectors[from + at] ?? 0) * (vector[at] ?? 0);
  return sum / unitLength;
};

const addTo = (sum: Float32Array, vector: Int8Array | Float32Array, weight: number): void => {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
};

const scaledTo = (vector: Float32Array, length: number): Float32Array => {
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] ?? 0) ** 2;
  const scaled = new Float32Array(vector.length);
  addTo(scaled, vector, length / (Math.sqrt(squares) || 1));
  return scaled;
};
