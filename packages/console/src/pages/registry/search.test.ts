import { describe, expect, it } from 'vitest';
import { matchRequestOf, offsetOf, readRegistrySearch } from './search.ts';

describe('the address of the registry page', () => {
  it('asks nothing without a filter', () => {
    expect(matchRequestOf(readRegistrySearch({}))).toBeNull();
    expect(matchRequestOf(readRegistrySearch({ capability: ' , ', protocol: 'smtp' }))).toBeNull();
  });

  it('asks for all that it names', () => {
    const search = readRegistrySearch({
      capability: 'quoting, legal review',
      rail: 'x402',
      org: 'Acme',
      protocol: 'mcp',
      live: 'yes',
    });
    expect(matchRequestOf(search)).toEqual({
      required_capabilities: ['quoting', 'legal review'],
      settlement_rail: ['x402'],
      org_name: 'Acme',
      message_protocol: 'mcp',
      live: true,
    });
    expect(matchRequestOf(readRegistrySearch({ live: 'no' }))).toBeNull();
  });

  it('asks for a name alone, if it has one', () => {
    const search = readRegistrySearch({ name: 'corner', capability: 'quoting', live: 'yes', offset: '50' });
    expect(search).toMatchObject({ name: 'corner', offset: '50' });
    expect(matchRequestOf(search)).toBeNull();
    expect(readRegistrySearch({ name: '' }).name).toBeUndefined();
  });

  it.each([
    ['50', 50],
    ['-1', 0],
    ['1.5', 0],
    ['many', 0],
    [undefined, 0],
  ])('reads the offset %s as %i', (offset, expected) => {
    expect(offsetOf(readRegistrySearch({ offset }))).toBe(expected);
  });
});
