/** Bits of a block: one cache line of the processor. */
const blockBits = 512;
const bitsOfPlace = 9;
const placeMask = blockBits - 1;
const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** The stored keys of one table. */
export type TableKeys = {
  add(key: string): void;
  /** False only for what was never added. */
  mayHave(key: string): boolean;
};

/**
 * The keys that may have a row in the database, in a fixed amount of memory: a Bloom filter. An unknown key was never stored, so no query is
 * needed; a false positive costs one query. The four bits of a key are in one block, so that a lookup waits for memory once. With 10 bits a
 * key, about one in sixty unknown keys is a false positive (Bloom 1970; blocks: Putze, Sanders and Singler 2007).
 */
export class StoredKeys {
  readonly #bits: Uint32Array;
  readonly #blockMask: number;

  /** @param bytes a power of two, a block or more */
  constructor(bytes: number) {
    const blocks = (bytes * 8) / blockBits;
    if (!Number.isInteger(Math.log2(blocks)) || blocks < 1) throw new Error(`${bytes} is not a power of two from 64`);
    this.#bits = new Uint32Array(bytes / 4);
    this.#blockMask = blocks - 1;
  }

  forTable(table: string): TableKeys {
    const bits = this.#bits;
    const blockMask = this.#blockMask;
    const seed = hashOf(offsetBasis, table);
    /** Sets the bits of a key, or returns whether all of them are set. */
    const look = (key: string, sets: boolean): boolean => {
      const first = mixed(hashOf(seed, key));
      const second = mixed(first ^ 0x9e3779b9);
      const block = (first & blockMask) * (blockBits / 32);
      for (let shift = 0; shift <= 3 * bitsOfPlace; shift += bitsOfPlace) {
        const place = placeOf(first, second, shift);
        const word = block + (place >>> 5);
        const bit = 1 << (place & 31);
        if (sets) bits[word] = (bits[word] ?? 0) | bit;
        else if (((bits[word] ?? 0) & bit) === 0) return false;
      }
      return true;
    };
    return { add: (key) => void look(key, true), mayHave: (key) => look(key, false) };
  }
}

/** The second hash gives three places, the upper bits of the first hash the last one; its lower bits select the block. */
const placeOf = (first: number, second: number, shift: number): number =>
  shift < 3 * bitsOfPlace ? (second >>> shift) & placeMask : (first >>> (32 - bitsOfPlace)) & placeMask;

/** FNV-1a over the UTF-16 code units, continued from `before`. */
const hashOf = (before: number, text: string): number => {
  let hash = Math.imul(before, prime);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash;
};

/** Mixes the bits of a hash (the finalizer of MurmurHash3). */
const mixed = (hash: number): number => {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
};
