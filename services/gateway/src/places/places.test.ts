/** Bugs meant: one holder takes every place; free keys or addresses push out organisations; a place comes back twice, or never. */
import { DomainError } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { HttpRefusal } from '../http/refusal.ts';
import { createPlaces, type Holder, type Places } from './places.ts';

const make = (): Places =>
  createPlaces({
    what: 'calls',
    perAgentMax: 2,
    perOrgMax: 3,
    withoutOrgMax: 4,
    perAddressMax: 2,
    withoutKeyMax: 3,
    allMax: 9,
  });
const of = (agentId: string, orgId: string | null = null): Holder => ({ agentId, orgId });
const at = (address: string): Holder => ({ address });
const refusalOf = (take: () => unknown): [string, string | undefined] => {
  try {
    take();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error instanceof HttpRefusal ? error.headers['retry-after'] : undefined];
  }
  throw new Error('was not refused');
};
const fill = (places: Places, ...holders: Holder[]): (() => void)[] => holders.map((holder) => places.take(holder));
const ofOwn = ['too_many_calls', '1'];
const ofAll = ['overloaded', undefined];

describe('places', () => {
  it('an agent has its own, and gets one back once', () => {
    const places = make();
    const [first] = fill(places, of('a'), of('a'));
    expect(refusalOf(() => places.take(of('a')))).toEqual(ofOwn);
    fill(places, of('b'));
    first?.();
    first?.();
    fill(places, of('a'));
    expect(refusalOf(() => places.take(of('a')))).toEqual(ofOwn);
  });

  it("an organisation's agents share theirs", () => {
    const places = make();
    fill(places, of('a', 'org'), of('a', 'org'), of('b', 'org'));
    expect(refusalOf(() => places.take(of('c', 'org')))).toEqual(ofOwn);
    fill(places, of('d', 'other'));
  });

  it('agents without an organisation share some, and leave the others room', () => {
    const places = make();
    fill(places, of('a'), of('b'), of('c'), of('d'));
    expect(refusalOf(() => places.take(of('e')))).toEqual(ofAll);
    fill(places, of('f', 'org'), of('g', 'org'), at('1'), at('2'), at('2'));
    expect(refusalOf(() => places.take(of('h', 'other')))).toEqual(ofAll);
  });

  it('an address without a key has some of those that all such share, and leaves the others room', () => {
    const places = make();
    fill(places, at('1'), at('1'));
    expect(refusalOf(() => places.take(at('1')))).toEqual(ofOwn);
    fill(places, at('2'));
    expect(refusalOf(() => places.take(at('3')))).toEqual(ofAll);
    fill(places, of('a'), of('b', 'org'));
  });

  it('an agent whose id reads like an address is not that address', () => {
    const places = make();
    fill(places, of('1'), of('1'), at('1'), at('1'));
    expect([of('1'), at('1')].map((holder) => refusalOf(() => places.take(holder)))).toEqual([ofOwn, ofOwn]);
  });

  it('a refused request takes nothing', () => {
    const places = make();
    const held = fill(places, of('a'), of('a'));
    for (let attempt = 0; attempt < 10; attempt += 1) expect(refusalOf(() => places.take(of('a')))).toEqual(ofOwn);
    for (const release of held) release();
    fill(places, of('a'), of('a'), of('b'), of('b'));
  });

  it('an organisation has as many as one of its agents', () => {
    const places = createPlaces({
      what: 'calls',
      perAgentMax: 3,
      perOrgMax: 1,
      withoutOrgMax: 0,
      perAddressMax: 0,
      withoutKeyMax: 0,
      allMax: 9,
    });
    fill(places, of('a', 'org'), of('a', 'org'), of('a', 'org'));
    expect(refusalOf(() => places.take(of('b', 'org')))).toEqual(ofOwn);
  });
});
