import { readFileSync } from 'node:fs';
import { stemOf } from './words.ts';

/*
 * General English, beside the vocabulary of the taxonomy: 16,000 words that texts use, with how many senses each has (WordNet, Miller,
 * 1995). A word with many senses says little of what somebody wants, and a word that is one is not misspelt.
 */
const words = new Set<string>();
const senses = new Map<string, number>();
for (const line of readFileSync(new URL('./english-words.txt', import.meta.url), 'utf8').split('\n')) {
  if (line.startsWith('#')) continue;
  const [count, ...found] = line.split(' ');
  for (const word of found) {
    words.add(word);
    const stem = stemOf(word);
    senses.set(stem, Math.max(Number(count), senses.get(stem) ?? 0));
  }
}

/** How many senses the words of a stem have, at most; 1 for what is no general English: a term of a trade, a product, a name. */
export function sensesOf(stem: string): number {
  return senses.get(stem) ?? 1;
}

/** Whether a word is general English, in its base form or with a regular ending. */
export function isEnglish(word: string): boolean {
  return baseForms(word).some((form) => words.has(form));
}

const baseForms = (word: string): string[] => [
  word,
  ...['s', 'es', 'd', 'ed', 'ing']
    .filter((ending) => word.endsWith(ending))
    .map((ending) => word.slice(0, -ending.length)),
  word.replace(/ing$/, 'e'),
  word.replace(/ies$/, 'y'),
];
