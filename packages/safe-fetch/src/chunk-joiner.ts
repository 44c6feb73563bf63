/** A body that arrives in chunks of any size, even of single bytes. From the start, it uses little more memory than its bytes. */
export type ChunkJoiner = {
  add(chunk: Uint8Array): void;
  /** Bytes so far. */
  readonly size: number;
  /** All bytes as one new array; call it once, at the end. */
  joined(): Buffer;
};

/**
 * Collects a body. The caller limits its size.
 *
 * Chunks are copied into a buffer that doubles, and not kept: a chunk of a single byte is an object two hundred times its size, and a thousand of
 * them for each of ten thousand bodies under way would be gigabytes.
 */
export function createChunkJoiner(): ChunkJoiner {
  let room = Buffer.alloc(0);
  let size = 0;
  return {
    add: (chunk) => {
      const needed = size + chunk.byteLength;
      if (needed > room.length) {
        // Exact for the first chunk: most bodies come in one.
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
