import { SortedNumbers } from './sorted-numbers.ts';

const bitsPerWord = 32;
/** Lists of at least this share of all rows have bits. These take about as much memory as such a list itself, or less. */
const shareOfBits = 1 / 128;

/** Rows as bits, 32 in each number. */
export type RowBits = Int32Array;

export function hasBit(bits: RowBits, row: number): boolean {
  return ((bits[row >>> 5] as number) & (1 << (row & 31))) !== 0;
}

export function wordsFor(rows: number): number {
  return Math.ceil(rows / bitsPerWord);
}

const setBit = (bits: RowBits, row: number): void => {
  const word = row >>> 5;
  bits[word] = (bits[word] as number) | (1 << (row & 31));
};

/** Sorted rows. While they are many, they are known as bits, too: whether a row is among them is then one look at few bytes. */
export class RowList extends SortedNumbers {
  /** Null while the rows are few. It may end before the last row: the rest is 0. */
  bits: RowBits | null = null;
  readonly #capacity: () => number;

  /** @param capacity more than any row at present */
  constructor(order: ConstructorParameters<typeof SortedNumbers>, capacity: () => number) {
    super(...order);
    this.#capacity = capacity;
  }

  override insert(row: number): void {
    super.insert(row);
    if (this.bits !== null && row >>> 5 < this.bits.length) setBit(this.bits, row);
    else if (this.size < shareOfBits * this.#capacity()) this.bits = null;
    else this.writeBits((this.bits = new Int32Array(wordsFor(this.#capacity()))));
  }

  override remove(row: number): void {
    super.remove(row);
    if (this.bits === null) return;
    // Not at once, so that a list of about that size does not change its form again and again.
    if (this.size < (shareOfBits / 2) * this.#capacity()) this.bits = null;
    else this.bits[row >>> 5] = (this.bits[row >>> 5] as number) & ~(1 << (row & 31));
  }

  /** With at least so many words; null while the rows are few. */
  bitsOf(words: number): RowBits | null {
    if (this.bits === null || this.bits.length >= words) return this.bits;
    const longer = new Int32Array(words);
    longer.set(this.bits);
    return (this.bits = longer);
  }

  /** Sets the bits of all rows. */
  writeBits(bits: RowBits): void {
    for (const { values, count } of this.chunks) {
      for (let index = 0; index < count; index += 1) setBit(bits, values[index] as number);
    }
  }
}
