import type { Candidate, CapabilityCandidates } from './capability-candidates.ts';

/**
 * How well each agent of a universe meets required capabilities: the sum over the required names of similarity·weight, for each name the
 * best that the agent has. Goes through the holders of every candidate once or twice and no further, so its work is bounded by theirs.
 *
 * The loops are plain and hold everything in local names: a call for each holder would make an object of each number in it.
 */
export class CapabilityStrengths {
  /** Agents that have any of the capabilities; the first `count` of the array. */
  rows: Int32Array = new Int32Array(0);
  count = 0;
  /** The sum of each row; 0 for one that has none of the capabilities. */
  sum: Float64Array = new Float64Array(0);
  /** The best of one required name's candidates; 0 between two names. */
  #best: Float64Array = new Float64Array(0);

  /**
   * Computes the strengths for a question. They hold until the next one.
   *
   * @param capacity more than any row
   */
  compute(capacity: number, { byRequiredName }: CapabilityCandidates): void {
    this.#forgetLast(capacity);
    for (const candidates of byRequiredName) {
      const [only] = candidates;
      if (only === undefined) continue;
      if (candidates.length === 1) this.#add(only);
      else this.#addBest(candidates);
    }
  }

  #add({ holders, similarity }: Candidate): void {
    const { sum, rows } = this;
    let { count } = this;
    for (const chunk of holders.chunks) {
      const { values } = chunk;
      for (let index = 0; index < chunk.count; index += 1) {
        const packed = values[index] as number;
        const row = packed >>> 2;
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
      for (const chunk of holders.chunks) {
        const { values } = chunk;
        for (let index = 0; index < chunk.count; index += 1) {
          const packed = values[index] as number;
          const row = packed >>> 2;
          best[row] = Math.max(best[row] as number, similarity * (packed & 3));
        }
      }
    }
    const { sum, rows } = this;
    let { count } = this;
    for (const { holders } of candidates) {
      for (const chunk of holders.chunks) {
        const { values } = chunk;
        for (let index = 0; index < chunk.count; index += 1) {
          const row = (values[index] as number) >>> 2;
          const strength = best[row] as number;
          // Taken already, as the holder of another candidate.
          if (strength === 0) continue;
          best[row] = 0;
          const before = sum[row] as number;
          if (before === 0) {
            rows[count] = row;
            count += 1;
          }
          sum[row] = before + strength;
        }
      }
    }
    this.count = count;
  }

  #forgetLast(capacity: number): void {
    const { rows, sum, count } = this;
    this.count = 0;
    if (rows.length === capacity) {
      for (let index = 0; index < count; index += 1) sum[rows[index] as number] = 0;
      return;
    }
    this.rows = new Int32Array(capacity);
    this.sum = new Float64Array(capacity);
    this.#best = new Float64Array(capacity);
  }
}
