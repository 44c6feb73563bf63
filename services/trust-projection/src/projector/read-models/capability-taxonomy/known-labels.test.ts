import { describe, expect, it } from 'vitest';
import { type KnownLabel, meaningOf } from './known-labels.ts';

const seed = (name: string): KnownLabel => ({ label: 'quote', source: 'seed', universe: null, name });
const learnedName = (universe: string): KnownLabel => ({
  label: 'quote',
  source: 'learned_name',
  universe,
  name: 'quote',
});
const learnedAlias = (universe: string, name: string): KnownLabel => ({
  label: 'quote',
  source: 'learned_alias',
  universe,
  name,
});

describe('the meaning of a label', () => {
  it('is empty for an unknown label', () => {
    expect(meaningOf([], 'production')).toBeNull();
  });

  it.each([
    ['a canonical name of the seed before an alias of it', [seed('price_quote'), seed('quote')], 'exact', 'quote'],
    [
      'the seed before a name that an agent has',
      [learnedName('production'), seed('price_quote')],
      'alias',
      'price_quote',
    ],
    [
      'a confirmed alias before the same name, which is younger',
      [learnedName('production'), learnedAlias('production', 'price_quote')],
      'alias',
      'price_quote',
    ],
    [
      'one of two capabilities while an alias moves, always the same',
      [seed('price_quote'), seed('freight_quote')],
      'alias',
      'freight_quote',
    ],
    ['a confirmed alias', [learnedAlias('production', 'price_quote')], 'alias', 'price_quote'],
  ] as const)('is %s', (_case, known, how, canonical) => {
    expect(meaningOf(known, 'production')).toEqual({ how, canonical });
  });

  it('in a sandbox is what that sandbox has learned, else what production has, and never what another sandbox has', () => {
    const known = [
      learnedAlias('sandbox:other', 'freight_quote'),
      learnedAlias('production', 'price_quote'),
      learnedAlias('sandbox:acme', 'insurance_quoting'),
    ] as const;
    expect(meaningOf(known, 'sandbox:acme')?.canonical).toBe('insurance_quoting');
    expect(meaningOf(known, 'sandbox:third')?.canonical).toBe('price_quote');
    expect(meaningOf([learnedName('production'), known[2]], 'sandbox:acme')?.canonical).toBe('insurance_quoting');
    expect(meaningOf([learnedName('sandbox:acme'), known[1]], 'sandbox:acme')?.how).toBe('exact');
    expect(meaningOf([learnedName('sandbox:other')], 'sandbox:acme')).toBeNull();
    expect(meaningOf([learnedName('sandbox:other')], 'production')).toBeNull();
  });
});
