/** A body that comes in chunks of any size, even of single bytes. What it holds is little more than its bytes, from the first on. */
export type ChunkJoiner = {
  add(chunk: Uint8Array): void;
  /** Bytes so far. */
  readonly size: number;
  /** All of them as one array of its own; for once, at the end. */
  joined(): Buffer;
};

/**
 * Collects a body. How large that may become is for whoever adds to it to bound.
 *
 * No chunk is kept: one of a single byte is an object two hundred times its size, and a thousand of them for each of ten thousand bodies
 * that have begun would be gigabytes. They are copied into room that doubles.
 */
export function createChunkJoiner(): ChunkJoiner {
  let room = Buffer.alloc(0);
  let size = 0;
  return {
    add: (chunk) => {
      const needed = size + chunk.byteLength;
      if (needed > room.length) {
        // Exact for the first: most bodies come in one chunk.
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * room.length));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      room.set(chunk, size);
      size = needed;
    },
    get size() {
      return size;
    },
    joined: () => (size === room.length ? room : Buffer.from(room.subarray(0, size))),
  };
}
