import type { Candidate, CapabilityCandidates } from './capability-candidates.ts';

const bitsPerWord = 32;

/**
 * The agents that have more than one of the capabilities that may meet a question, and how well each meets it: the sum over the required
 * names of similarity·weight, for each name the agent's best.
 *
 * Passes twice over the holders of all candidates, mostly on two bits an agent, which fit the processor's cache. The loops are plain and
 * use local names: a call for each holder would allocate an object for each number.
 */
export class HoldersOfSeveral {
  /** The first `count` of the array. */
  rows: Int32Array = new Int32Array(0);
  count = 0;
  /** The sum of each row; 0 for one that is not among them. */
  sum: Float64Array = new Float64Array(0);
  /** The best of one required name's candidates; 0 between two names. */
  #best: Float64Array = new Float64Array(0);
  #once: Int32Array = new Int32Array(0);
  #twice: Int32Array = new Int32Array(0);

  /** Finds them for a question; valid until the next one. `capacity` is more than any row. */
  compute(capacity: number, { byRequiredName }: CapabilityCandidates): void {
    this.#forgetLast(capacity);
    for (const candidates of byRequiredName) for (const candidate of candidates) this.#see(candidate);
    for (const candidates of byRequiredName) {
      const [only] = candidates;
      if (only === undefined) continue;
      if (candidates.length === 1) this.#add(only);
      else this.#addBest(candidates);
    }
  }

  has(row: number): boolean {
    return ((this.#twice[row >>> 5] as number) & (1 << (row & 31))) !== 0;
  }

  #see({ holders }: Candidate): void {
    const once = this.#once;
    const twice = this.#twice;
    for (const { values, count } of holders.all.chunks) {
      for (let index = 0; index < count; index += 1) {
        const row = (values[index] as number) >>> 2;
        const word = row >>> 5;
        const bit = 1 << (row & 31);
        const seen = once[word] as number;
        twice[word] = (twice[word] as number) | (seen & bit);
        once[word] = seen | bit;
      }
    }
  }

  #add({ holders, similarity }: Candidate): void {
    const { sum, rows } = this;
    const twice = this.#twice;
    let { count } = this;
    for (const chunk of holders.all.chunks) {
      const { values } = chunk;
      for (let index = 0; index < chunk.count; index += 1) {
        const packed = values[index] as number;
        const row = packed >>> 2;
        if (((twice[row >>> 5] as number) & (1 << (row & 31))) === 0) continue;
        const before = sum[row] as number;
        if (before === 0) {
          rows[count] = row;
          count += 1;
        }
        sum[row] = before + similarity * (packed & 3);
      }
    }
    this.count = count;
  }

  /** Adds to each row's sum the best of one required name's candidates. */
  #addBest(candidates: readonly Candidate[]): void {
    const best = this.#best;
    for (const { holders, similarity } of candidates) {
      for (const { values, count } of holders.all.chunks) {
        for (let index = 0; index < count; index += 1) {
          const packed = values[index] as number;
          const row = packed >>> 2;
          if (this.has(row)) best[row] = Math.max(best[row] as number, similarity * (packed & 3));
        }
      }
    }
    const { sum, rows } = this;
    for (const { holders } of candidates) {
      for (const { values, count } of holders.all.chunks) {
        for (let index = 0; index < count; index += 1) {
          const row = (values[index] as number) >>> 2;
          const strength = best[row] as number;
          // Has just this one, or was added as the holder of another candidate.
          if (strength === 0) continue;
          best[row] = 0;
          const before = sum[row] as number;
          if (before === 0) {
            rows[this.count] = row;
            this.count += 1;
          }
          sum[row] = before + strength;
        }
      }
    }
  }

  #forgetLast(capacity: number): void {
    const { rows, sum, count } = this;
    this.count = 0;
    if (rows.length === capacity) {
      for (let index = 0; index < count; index += 1) sum[rows[index] as number] = 0;
      this.#once.fill(0);
      this.#twice.fill(0);
      return;
    }
    this.rows = new Int32Array(capacity);
    this.sum = new Float64Array(capacity);
    this.#best = new Float64Array(capacity);
    const words = Math.ceil(capacity / bitsPerWord);
    this.#once = new Int32Array(words);
    this.#twice = new Int32Array(words);
  }
}
