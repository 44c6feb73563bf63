/** Bugs: one caller takes the whole capacity; free keys or addresses displace organisations; a permit is released twice, or never. */
import { DomainError } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { HttpRefusal } from '../http/error-answer.ts';
import { type CallerLimiter, createCallerLimiter, type Holder } from './caller-limiter.ts';

const make = (): CallerLimiter =>
  createCallerLimiter({
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
const refusalOf = (acquire: () => unknown): [string, string | undefined] => {
  try {
    acquire();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error instanceof HttpRefusal ? error.headers['retry-after'] : undefined];
  }
  throw new Error('was not refused');
};
const fill = (limiter: CallerLimiter, ...holders: Holder[]): (() => void)[] =>
  holders.map((holder) => limiter.acquire(holder));
const ofOwn = ['too_many_calls', '1'];
const ofAll = ['overloaded', undefined];

describe('the limit of concurrent requests', () => {
  it('is separate for each agent, and each release counts once', () => {
    const limiter = make();
    const [first] = fill(limiter, of('a'), of('a'));
    expect(refusalOf(() => limiter.acquire(of('a')))).toEqual(ofOwn);
    fill(limiter, of('b'));
    first?.();
    first?.();
    fill(limiter, of('a'));
    expect(refusalOf(() => limiter.acquire(of('a')))).toEqual(ofOwn);
  });

  it("is shared by an organisation's agents", () => {
    const limiter = make();
    fill(limiter, of('a', 'org'), of('a', 'org'), of('b', 'org'));
    expect(refusalOf(() => limiter.acquire(of('c', 'org')))).toEqual(ofOwn);
    fill(limiter, of('d', 'other'));
  });

  it('of agents without an organisation is shared, and leaves capacity to others', () => {
    const limiter = make();
    fill(limiter, of('a'), of('b'), of('c'), of('d'));
    expect(refusalOf(() => limiter.acquire(of('e')))).toEqual(ofAll);
    fill(limiter, of('f', 'org'), of('g', 'org'), at('1'), at('2'), at('2'));
    expect(refusalOf(() => limiter.acquire(of('h', 'other')))).toEqual(ofAll);
  });

  it('of addresses without a key is shared by all of them, and leaves capacity to others', () => {
    const limiter = make();
    fill(limiter, at('1'), at('1'));
    expect(refusalOf(() => limiter.acquire(at('1')))).toEqual(ofOwn);
    fill(limiter, at('2'));
    expect(refusalOf(() => limiter.acquire(at('3')))).toEqual(ofAll);
    fill(limiter, of('a'), of('b', 'org'));
  });

  it('distinguishes an agent whose id looks like an address from that address', () => {
    const limiter = make();
    fill(limiter, of('1'), of('1'), at('1'), at('1'));
    expect([of('1'), at('1')].map((holder) => refusalOf(() => limiter.acquire(holder)))).toEqual([ofOwn, ofOwn]);
  });

  it('is not used up by a refused request', () => {
    const limiter = make();
    const held = fill(limiter, of('a'), of('a'));
    for (let attempt = 0; attempt < 10; attempt += 1) expect(refusalOf(() => limiter.acquire(of('a')))).toEqual(ofOwn);
    for (const release of held) release();
    fill(limiter, of('a'), of('a'), of('b'), of('b'));
  });

  it('of an organisation equals that of one of its agents', () => {
    const limiter = createCallerLimiter({
      what: 'calls',
      perAgentMax: 3,
      perOrgMax: 1,
      withoutOrgMax: 0,
      perAddressMax: 0,
      withoutKeyMax: 0,
      allMax: 9,
    });
    fill(limiter, of('a', 'org'), of('a', 'org'), of('a', 'org'));
    expect(refusalOf(() => limiter.acquire(of('b', 'org')))).toEqual(ofOwn);
  });
});
