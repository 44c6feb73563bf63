import { DomainError } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { HttpRefusal } from '../http/refusal.ts';
import { type CallPlaces, createCallPlaces } from './call-places.ts';

const make = (): CallPlaces => createCallPlaces(2, { perOrgMax: 3, strangersMax: 4, allMax: 6 });
const of = (agentId: string, orgId: string | null = null) => ({ agentId, orgId });
const refusalOf = (take: () => unknown): [string, string | undefined] => {
  try {
    take();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error instanceof HttpRefusal ? error.headers['retry-after'] : undefined];
  }
  throw new Error('was not refused');
};
const fill = (places: CallPlaces, ...callers: ReturnType<typeof of>[]): (() => void)[] =>
  callers.map((caller) => places.take(caller));

describe('places for calls', () => {
  it('an agent has its own, and gets one back once', () => {
    const places = make();
    const [first] = fill(places, of('a'), of('a'));
    expect(refusalOf(() => places.take(of('a')))).toEqual(['too_many_calls', '1']);
    fill(places, of('b'));
    first?.();
    first?.();
    fill(places, of('a'));
    expect(refusalOf(() => places.take(of('a')))).toEqual(['too_many_calls', '1']);
  });

  it("an organisation's agents share theirs", () => {
    const places = make();
    fill(places, of('a', 'org'), of('a', 'org'), of('b', 'org'));
    expect(refusalOf(() => places.take(of('c', 'org')))).toEqual(['too_many_calls', '1']);
    fill(places, of('d', 'other'));
  });

  it('agents without an organisation share some, and leave the others room', () => {
    const places = make();
    fill(places, of('a'), of('b'), of('c'), of('d'));
    expect(refusalOf(() => places.take(of('e')))).toEqual(['overloaded', undefined]);
    fill(places, of('f', 'org'), of('g', 'org'));
    expect(refusalOf(() => places.take(of('h', 'other')))).toEqual(['overloaded', undefined]);
  });

  it('a refused call takes nothing', () => {
    const places = make();
    const held = fill(places, of('a'), of('a'));
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(refusalOf(() => places.take(of('a')))).toEqual(['too_many_calls', '1']);
    for (const release of held) release();
    fill(places, of('a'), of('a'), of('b'), of('b'));
  });
});
