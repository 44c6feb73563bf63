import { type CapabilityResolution, production } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { resolveCapabilities } from './resolve-capabilities.ts';

const meanings: Record<string, CapabilityResolution> = {
  price_quote: { name: 'price_quote', outcome: 'exact', canonical: 'price_quote' },
  quote: { name: 'quote', outcome: 'alias', canonical: 'price_quote' },
  quotes_for_boats: {
    name: 'quotes_for_boats',
    outcome: 'ambiguous',
    candidates: [
      { name: 'price_quote', similarity: 0.7 },
      { name: 'freight_quote', similarity: 0.5 },
    ],
  },
  knitting: { name: 'knitting', outcome: 'unknown' },
};
const resolve = (required: string[]) =>
  resolveCapabilities(async (_universe, names) => names.flatMap((name) => meanings[name] ?? []), production, required);

it('resolves a canonical name to itself, and an unknown one too', async () => {
  expect(await resolve(['price_quote', 'knitting', 'knitting'])).toEqual([
    { required: 'price_quote', canonical: 'price_quote', similarity: 1, how: 'exact' },
    { required: 'knitting', canonical: 'knitting', similarity: 1, how: 'exact' },
  ]);
});

it('resolves an alias to its meaning, and still finds agents with the alias as their own name', async () => {
  expect(await resolve(['quote'])).toEqual([
    { required: 'quote', canonical: 'quote', similarity: 1, how: 'exact' },
    { required: 'quote', canonical: 'price_quote', similarity: 1, how: 'alias' },
  ]);
});

it('resolves a name to all similar names, by their similarity', async () => {
  expect(await resolve(['quotes_for_boats'])).toEqual([
    { required: 'quotes_for_boats', canonical: 'quotes_for_boats', similarity: 1, how: 'exact' },
    { required: 'quotes_for_boats', canonical: 'price_quote', similarity: 0.7, how: 'close' },
    { required: 'quotes_for_boats', canonical: 'freight_quote', similarity: 0.5, how: 'close' },
  ]);
});
