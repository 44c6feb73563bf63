import type { TaxonomyEvent } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import { givenFor } from '../testing/given-when-then.ts';
import { type CapabilityDefinition, type PublishTaxonomy, taxonomyDecider } from './taxonomy.ts';

const given = givenFor(taxonomyDecider);
const earlier = '2026-01-01T00:00:00.000Z';
const now = '2026-02-01T00:00:00.000Z';

const capability = (name: string, fields: Partial<CapabilityDefinition> = {}): CapabilityDefinition => ({
  name,
  category: 'research',
  description: 'Finds things.',
  aliases: [`${name}_one`, `${name}_two`],
  phrases: ['Find this', 'Look that up'],
  ...fields,
});
const defined = (definition: CapabilityDefinition, definedAt = earlier): TaxonomyEvent => ({
  type: 'CapabilityDefined',
  data: { ...definition, definedAt },
});
const retired = (name: string, retiredAt = earlier): TaxonomyEvent => ({
  type: 'CapabilityRetired',
  data: { name, retiredAt },
});
const publish = (seed: CapabilityDefinition[], eventsMax = 100): PublishTaxonomy => ({
  type: 'PublishTaxonomy',
  seed,
  eventsMax,
  now,
});

describe('publishing the taxonomy', () => {
  it('defines everything in an empty stream, in the order of the seed', () => {
    given([])
      .when(publish([capability('b'), capability('a')]))
      .then([defined(capability('b'), now), defined(capability('a'), now)]);
  });

  it('repeats nothing that the stream has, in any order', () => {
    given([defined(capability('a')), defined(capability('b'))])
      .when(publish([capability('b'), capability('a')]))
      .thenNothing();
  });

  it.each([
    ['category', { category: 'media' }],
    ['description', { description: 'Finds more.' }],
    ['aliases', { aliases: ['a_two', 'a_one'] }],
    ['phrases', { phrases: ['Find this'] }],
  ])('defines a capability again if its %s have changed', (_field, fields) => {
    given([defined(capability('a')), defined(capability('b'))])
      .when(publish([capability('a', fields), capability('b')]))
      .then([defined(capability('a', fields), now)]);
  });

  it('retires removed capabilities before it defines any, and defines them again if they return', () => {
    given([defined(capability('a'))])
      .when(publish([capability('b')]))
      .then([retired('a', now), defined(capability('b'), now)]);
    given([defined(capability('a')), retired('a')])
      .when(publish([capability('a')]))
      .then([defined(capability('a'), now)]);
  });

  it('publishes the whole seed in parts of any size', () => {
    const seed = Array.from({ length: 7 }, (_, index) => capability(`c${index}`));
    let state = fold(taxonomyDecider, [defined(capability('old'))]);
    let parts = 0;
    for (;;) {
      const events = taxonomyDecider.decide(publish(seed, 3), state);
      if (events.length === 0) break;
      expect(events.length).toBeLessThanOrEqual(3);
      state = fold(taxonomyDecider, events, state);
      parts += 1;
    }
    expect(parts).toBe(3);
    expect([...state.values()]).toEqual(seed);
  });
});
