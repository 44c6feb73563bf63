import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const wordsMax = 8;
const heldBackShare = 8;

/**
 * How English is used where nobody asks for a service: the short examples in WordNet's data files. One of eight is held back from the table
 * of words, so that others can be tried with phrases that it was not made with.
 *
 * @param folder the folder with WordNet's data.* files
 */
export async function everydayPhrases(folder: string): Promise<{ used: string[]; heldBack: string[] }> {
  const read = (part: string): Promise<string> => readFile(join(folder, `data.${part}`), 'utf8');
  const files = await Promise.all(['noun', 'verb', 'adj', 'adv'].map(read));
  const all = [...new Set(files.flatMap(examplesIn))].toSorted();
  return {
    used: all.filter((_, index) => index % heldBackShare !== 0),
    heldBack: all.filter((_, index) => index % heldBackShare === 0),
  };
}

/** The examples of two to eight words that stand in a data file, in quotes behind the bar (wndb(5WN)). */
export function examplesIn(data: string): string[] {
  return data.split('\n').flatMap((line) => {
    const gloss = line.startsWith('  ') ? '' : (line.split(' | ')[1] ?? '');
    return [...gloss.matchAll(/"([^"]+)"/g)].flatMap(([, example = '']) => {
      const count = example.trim().split(/\s+/).length;
      return count >= 2 && count <= wordsMax ? [example.trim()] : [];
    });
  });
}
