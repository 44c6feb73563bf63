/** A part of a sorted list: the first `count` of `values`, and what is noted of each. */
export type Chunk = { values: Int32Array; notes: Float64Array; count: number };

const chunkValuesMin = 4;
const chunkValuesMax = 512;

/**
 * Sorted numbers in chunks, so that an insertion does not move all others and a reader passes over plain arrays. Each number has a note,
 * made at its insertion, which saves the reader a lookup.
 */
export class SortedNumbers {
  readonly chunks: Chunk[] = [];
  size = 0;
  readonly #compare: (a: number, b: number) => number;
  readonly #noteOf: (value: number) => number;

  /**
   * @param compare a total order: 0 only for the same number. What it looks at must not change while a number is in the list.
   * @param noteOf what is noted of a number
   */
  constructor(compare: (a: number, b: number) => number, noteOf: (value: number) => number = () => 0) {
    this.#compare = compare;
    this.#noteOf = noteOf;
  }

  /** Puts a number in its place. It must not be in the list. */
  insert(value: number): void {
    const at = Math.min(this.#chunkOf(value), Math.max(0, this.chunks.length - 1));
    const chunk = this.chunks[at] ?? this.#firstChunk();
    const place = this.#placeIn(chunk, value);
    if (chunk.count === chunk.values.length) {
      const room = Math.min(chunkValuesMax, chunk.count * 2);
      const { values, notes } = chunk;
      chunk.values = new Int32Array(room);
      chunk.values.set(values);
      chunk.notes = new Float64Array(room);
      chunk.notes.set(notes);
    }
    chunk.values.copyWithin(place + 1, place, chunk.count);
    chunk.values[place] = value;
    chunk.notes.copyWithin(place + 1, place, chunk.count);
    chunk.notes[place] = this.#noteOf(value);
    chunk.count += 1;
    this.size += 1;
    if (chunk.count === chunkValuesMax) this.#split(at, chunk);
  }

  /** Takes a number out; one that is not in the list is a defect of the caller. */
  remove(value: number): void {
    const { at, chunk, place } = this.#find(value);
    chunk.values.copyWithin(place, place + 1, chunk.count);
    chunk.notes.copyWithin(place, place + 1, chunk.count);
    chunk.count -= 1;
    this.size -= 1;
    if (chunk.count === 0) this.chunks.splice(at, 1);
  }

  #find(value: number): { at: number; chunk: Chunk; place: number } {
    const at = this.#chunkOf(value);
    const chunk = this.chunks[at];
    const place = chunk === undefined ? -1 : this.#placeIn(chunk, value);
    if (chunk === undefined || place >= chunk.count || chunk.values[place] !== value) {
      throw new Error(`${value} is not in the list`);
    }
    return { at, chunk, place };
  }

  /** The first chunk whose last number is not before the value; the number of chunks when there is none. */
  #chunkOf(value: number): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { values, count } = this.chunks[middle] as Chunk;
      if (this.#compare(values[count - 1] as number, value) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeIn({ values, count }: Chunk, value: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(values[middle] as number, value) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #firstChunk(): Chunk {
    const chunk = { values: new Int32Array(chunkValuesMin), notes: new Float64Array(chunkValuesMin), count: 0 };
    this.chunks.push(chunk);
    return chunk;
  }

  #split(at: number, chunk: Chunk): void {
    const half = chunk.count >>> 1;
    const rest = {
      values: new Int32Array(chunkValuesMax),
      notes: new Float64Array(chunkValuesMax),
      count: chunk.count - half,
    };
    rest.values.set(chunk.values.subarray(half, chunk.count));
    rest.notes.set(chunk.notes.subarray(half, chunk.count));
    this.chunks.splice(at + 1, 0, rest);
    chunk.count = half;
  }
}
