import { readFileSync } from 'node:fs';
import { closeness } from './closeness.ts';

/**
 * What tells whether a name asks for anything that the taxonomy has. All are 0–1 but for the domains, which are about −4 to 4, and the
 * number of words.
 */
export type Signs = {
  /** How alike the words of the best capability are, of the second, and of the three after it on average. */
  bestWords: number;
  secondWords: number;
  nextWords: number;
  /** What share of the name the best of them has, and what its words prove. */
  coverage: number;
  evidence: number;
  /** The first capability in the order: how alike its words are, its nearest texts, and the middle of its texts. */
  firstWords: number;
  firstTexts: number;
  firstCentre: number;
  /** Whether its words are those of the taxonomy or of everyday texts, together and at least. */
  domain: number;
  domainMin: number;
  /** The share of the name that no capability has. */
  unknown: number;
  /** How many words it has, at most six, and the most that one can prove. */
  words: number;
  proof: number;
};
export type Sign = keyof Signs;

/** Coefficients of a logistic regression, fitted by `tools/relatedness`; from 0 on a name is related. */
export type Coefficients = { bias: number; signs: Readonly<Record<Sign, number>> };

const coefficients = JSON.parse(readFileSync(new URL('./relatedness.json', import.meta.url), 'utf8')) as Coefficients;

/** The logarithm of the odds that a name asks for something that the taxonomy has, moved to where few unrelated ones are above 0. */
export function valueOf(signs: Signs, { bias, signs: factors }: Coefficients): number {
  return (Object.keys(factors) as Sign[]).reduce((sum, sign) => sum + factors[sign] * signs[sign], bias);
}

/** Whether a name asks for something that the taxonomy has: by words that are alike enough alone, or by all signs together. */
export function isRelated(signs: Signs, by: Coefficients = coefficients): boolean {
  return signs.bestWords >= closeness.wordsAloneMin || valueOf(signs, by) >= 0;
}
