import { expect, it } from 'vitest';
import { verifiedBecause } from './flags.ts';

const agent = { verified: true, org_name: 'Globex', org_domain: 'globex.example', domain_verified: true };

it.each([
  [{}, 'has proved that globex.example is its own'],
  [{ domain_verified: false }, 'is taken at its word that globex.example'],
  [{ org_domain: null }, 'names no domain'],
  [{ org_name: null }, "The registry's operator vouches"],
  [{ verified: false }, 'Nobody vouches'],
])('says what verified rests on: %j', (fields, words) => {
  expect(verifiedBecause({ ...agent, ...fields })).toContain(words);
});
