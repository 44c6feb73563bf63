import { expect, it } from 'vitest';
import { variantsOf } from './words.ts';

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
