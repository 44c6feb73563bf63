import { expect, it } from 'vitest';
import { contentWordsOf, lettersApart, stemOf, trigramSimilarity, trigramsOf, variantsOf } from './words.ts';

it.each([
  ['planner', ['planning']],
  ['translators', ['translating']],
  ['analyzer', ['analyzing', 'analysis']],
  ['analytics', ['analysis']],
  // Not an agent noun: too short, or a verb cannot end like that.
  ['beer', []],
  ['forecast', []],
])('%s may also be spelled %j', (word, variants) => {
  expect(variantsOf(word)).toEqual(variants);
});

it.each([
  ["what's_on in Grandma's café", ['grandma', 'café']],
  ['docx2pdf', ['docx', 'pdf']],
  ['x402_h265', ['x402', 'h265']],
  ['日本語 🦊 c++', ['日本語', 'c']],
  ['the_and_of', []],
])('the words of %s that carry meaning are %j', (text, words) => {
  expect(contentWordsOf(text)).toEqual(words);
});

it.each([
  ['organising', 'organizes'],
  ['colours', 'color'],
  ['translations', 'translating'],
])('%s and %s share a stem', (one, other) => {
  expect(stemOf(one)).toBe(stemOf(other));
});

it.each([
  ['translation', 'translation', 0],
  ['tranlsation', 'translation', 1],
  ['transation', 'translation', 1],
  ['trranslation', 'translation', 1],
  ['tranzlatlon', 'translation', 2],
  ['bees', 'translation', 3],
])('%s and %s are %i letters apart, as far as it matters', (one, other, apart) => {
  expect(lettersApart(one, other, 2)).toBe(apart);
  expect(lettersApart(other, one, 2)).toBe(apart);
});

it('compares trigrams as Postgres does', () => {
  // SELECT similarity('word', 'two words'): 4 of 11 trigrams.
  const [one, other] = [trigramsOf('word'), trigramsOf('two words')];
  const shared = [...one].filter((trigram) => other.has(trigram)).length;
  expect(trigramSimilarity(shared, one.size, other.size)).toBeCloseTo(4 / 11, 10);
  expect(trigramSimilarity(0, 0, 0)).toBe(0);
});
