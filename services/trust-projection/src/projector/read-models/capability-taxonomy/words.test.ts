import { expect, it } from 'vitest';
import { variantsOf } from './words.ts';

it.each([
  ['planner', ['planning']],
  ['translators', ['translating']],
  ['analyzer', ['analyzing', 'analysis']],
  ['analytics', ['analysis']],
  // Not an agent: too short, or no verb can end like that.
  ['beer', []],
  ['forecast', []],
])('%s may also stand as %j', (word, variants) => {
  expect(variantsOf(word)).toEqual(variants);
});
