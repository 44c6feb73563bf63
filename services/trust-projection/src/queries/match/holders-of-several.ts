import type { CapabilityCandidates } from './capability-candidates.ts';
import { hasBit, type RowBits, type RowList, wordsFor } from './row-list.ts';

/**
 * The agents that have more than one of the capabilities that may meet a question, and how well each meets it: the sum over the required
 * names of similarity·weight, for each name the agent's best.
 *
 * Works on bits, 32 agents at a time. The loops are plain and use local names: a call for each agent would allocate an object for each number.
 */
export class HoldersOfSeveral {
  /** The first `count` of the array, ascending. */
  rows: Int32Array = new Int32Array(0);
  count = 0;
  /** The sum of each of these rows. */
  sums: Float64Array = new Float64Array(0);
  /** All bits have as many words as there may be rows; the first `#words` of them are in use. */
  #words = 0;
  #once: RowBits = new Int32Array(0);
  #twice: RowBits = new Int32Array(0);
  #none: RowBits = new Int32Array(0);
  /** Bits of lists that have none of their own; those of the last question are overwritten. */
  readonly #scratch: RowBits[] = [];
  #scratchUsed = 0;

  /** Finds them for a question; valid until the next one. All rows are below `count`, and `capacity` is at least that. */
  compute({ capacity, count }: { capacity: number; count: number }, { byRequiredName }: CapabilityCandidates): void {
    this.#clear(capacity, count);
    const lists: RowBits[] = [];
    const strengths: number[] = [];
    const lastOfName: number[] = [];
    for (const candidates of byRequiredName) {
      const equals = candidates.flatMap(({ holders, similarity }) => {
        this.#see(holders.ofWeight.map(([, list]) => list));
        return holders.ofWeight.map(([weight, list]) => ({ bits: this.#bitsOf(list), strength: similarity * weight }));
      });
      const last = lists.length + equals.length - 1;
      for (const { bits, strength } of equals.sort((a, b) => b.strength - a.strength)) {
        lists.push(bits);
        strengths.push(strength);
        lastOfName.push(last);
      }
    }
    this.#gather(lists, Float64Array.from(strengths), Int32Array.from(lastOfName));
  }

  has(row: number): boolean {
    return hasBit(this.#twice, row);
  }

  /** @param ofWeight the holders of one capability: each is in one of the lists, of which there are at most three */
  #see(ofWeight: readonly RowList[]): void {
    const long = ofWeight.flatMap((list) => list.bitsOf(this.#once.length) ?? []);
    if (long.length > 0) this.#seeBits(long);
    for (const list of ofWeight) if (list.bits === null) this.#seeRows(list);
  }

  #seeBits([first = this.#none, second = this.#none, third = this.#none]: readonly RowBits[]): void {
    const once = this.#once;
    const twice = this.#twice;
    const words = this.#words;
    for (let word = 0; word < words; word += 1) {
      const these = (first[word] as number) | (second[word] as number) | (third[word] as number);
      const seen = once[word] as number;
      twice[word] = (twice[word] as number) | (seen & these);
      once[word] = seen | these;
    }
  }

  #seeRows({ chunks }: RowList): void {
    const once = this.#once;
    const twice = this.#twice;
    for (const { values, count } of chunks) {
      for (let index = 0; index < count; index += 1) {
        const row = values[index] as number;
        const word = row >>> 5;
        const bit = 1 << (row & 31);
        const seen = once[word] as number;
        twice[word] = (twice[word] as number) | (seen & bit);
        once[word] = seen | bit;
      }
    }
  }

  /** @param lastOfName for each list the place of the last one of the same required name, of which the better are first */
  #gather(lists: readonly RowBits[], strengths: Float64Array, lastOfName: Int32Array): void {
    const twice = this.#twice;
    const words = this.#words;
    let { rows, sums } = this;
    let count = 0;
    for (let word = 0; word < words; word += 1) {
      for (let left = twice[word] as number; left !== 0; left &= left - 1) {
        const bit = left & -left;
        let sum = 0;
        for (let at = 0; at < lists.length; at += 1) {
          if ((((lists[at] as RowBits)[word] as number) & bit) === 0) continue;
          sum += strengths[at] as number;
          at = lastOfName[at] as number;
        }
        if (count === rows.length) {
          rows = this.rows = grown(rows, new Int32Array(Math.max(1_024, 2 * count)));
          sums = this.sums = grown(sums, new Float64Array(rows.length));
        }
        rows[count] = word * 32 + 31 - Math.clz32(bit);
        sums[count] = sum;
        count += 1;
      }
    }
    this.count = count;
  }

  #clear(capacity: number, count: number): void {
    this.#words = wordsFor(count);
    this.#scratchUsed = 0;
    const words = wordsFor(capacity);
    if (this.#once.length === words) {
      this.#once.fill(0);
      this.#twice.fill(0);
      return;
    }
    this.#once = new Int32Array(words);
    this.#twice = new Int32Array(words);
    this.#none = new Int32Array(words);
    this.#scratch.length = 0;
  }

  #bitsOf(list: RowList): RowBits {
    const bits = list.bitsOf(this.#once.length);
    if (bits !== null) return bits;
    const scratch = (this.#scratch[this.#scratchUsed] ??= new Int32Array(this.#once.length));
    this.#scratchUsed += 1;
    list.writeBits(scratch.fill(0));
    return scratch;
  }
}

const grown = <Values extends Float64Array | Int32Array>(values: Values, larger: Values): Values => {
  larger.set(values);
  return larger;
};
