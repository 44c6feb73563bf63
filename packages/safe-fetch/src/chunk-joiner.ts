/** Chunks that are joined at one time: one by one, those of a byte each would take a hundred times their size. */
const joinedChunks = 1_024;

/** A body that comes in chunks of any size, even of single bytes. What it holds is little more than its bytes. */
export type ChunkJoiner = {
  add(chunk: Uint8Array): void;
  /** Bytes so far. */
  readonly size: number;
  /** All of them as one array of its own; for once, at the end. */
  joined(): Buffer;
};

/** Collects a body. How large that may become is for whoever adds to it to bound. */
export const createChunkJoiner = (): ChunkJoiner => {
  const blocks: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (chunks.length < joinedChunks) return;
      blocks.push(Buffer.concat(chunks));
      chunks = [];
    },
    get size() {
      return size;
    },
    joined: () => Buffer.concat([...blocks, ...chunks], size),
  };
};
