import { stemmer } from 'stemmer';
import { stopWords } from './vocabulary.ts';

const possessives = /(?<=\p{L})['’](?:s|re|t|ll|ve|d|m)?(?!\p{L})/gu;
/** A digit that stands for a word between two names: docx2pdf, text4you. */
const digitForWord = /(?<=[a-z]{2})[24](?=[a-z]{2})/g;

/** The words of a text in lower case: runs of letters, marks and digits. Names are split at underscores and punctuation alike. */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replace(possessives, '').replace(digitForWord, ' ');
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The words that carry meaning. */
export function contentWordsOf(text: string): string[] {
  return wordsOf(text).filter((word) => !stopWords.has(word));
}

/** British spellings become American ones, on both sides of every comparison; what is no word then is none on both sides. */
const american = (word: string): string =>
  word
    .replace(/(?<=\w\w)([iy])s(e|es|ed|er|ers|ing|ation|ations)$/, '$1z$2')
    .replace(/(?<=\w\w)our(s|ed|ing|ful)?$/, 'or$1');

/** What the forms of a word share (Porter, 1980); a word of another script is its own stem. */
export function stemOf(word: string): string {
  return stemmer(american(word));
}

/** Forms of a word that the stemmer does not bring together. */
const rules: readonly { pattern: RegExp; replacement: string }[] = [
  // Agents are often named after what they do: a planner plans.
  { pattern: /(?<=..[^aeiou])(er|or)s?$/, replacement: 'ing' },
  // To analyse, an analysis, analytics.
  { pattern: /^analy[szt](e|es|ed|ing|er|ers|is|ics|ical|ist|ists)?$/, replacement: 'analysis' },
];

/** Other forms of a word, such as what an agent noun does. Forms that are no words are never found. */
export function variantsOf(word: string): string[] {
  const forms = rules.filter(({ pattern }) => pattern.test(word));
  return [...new Set(forms.map(({ pattern, replacement }) => word.replace(pattern, replacement)))];
}

/** The trigrams of a text, each word with two spaces before and one behind it, as Postgres makes them. */
export function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of wordsOf(text)) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

/** Share (0–1) that two sets of trigrams have in common, from how many they share. */
export function trigramSimilarity(shared: number, sizeA: number, sizeB: number): number {
  return shared === 0 ? 0 : shared / (sizeA + sizeB - shared);
}

/**
 * In how many letters two words differ: one that is missing, added, replaced, or swapped with its neighbour counts once (optimal string
 * alignment). `max + 1` when they differ in more.
 */
export function lettersApart(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let [before, previous]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (previous?.[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous?.[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before?.[j - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    if (Math.min(...current) > max) return max + 1;
    [before, previous] = [previous, current];
  }
  return Math.min(previous?.[b.length] ?? 0, max + 1);
}
