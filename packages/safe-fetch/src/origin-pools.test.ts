import { afterEach, describe, expect, it } from 'vitest';
import { createOriginPools, type OriginPools } from './origin-pools.ts';
import type { OutboundError } from './outbound-error.ts';
import { createSafeFetch } from './safe-fetch.ts';
import { serve } from './testing/loopback.ts';

let pools: OriginPools | undefined;
afterEach(() => pools?.close());

const withBounds = (originsMax: number, requestsPerOriginMax = 2): OriginPools => {
  pools = createOriginPools({ connections: 1 }, { originsMax, requestsPerOriginMax });
  return pools;
};

describe('pools by origin', () => {
  it('gives the requests of one origin one pool', () => {
    const { enter } = withBounds(4);
    expect(enter('http://a.test').pool).toBe(enter('http://a.test').pool);
    expect(enter('http://b.test').pool).not.toBe(enter('https://b.test').pool);
  });

  it('drops the origin that has been idle for longest for a new one', () => {
    const { enter } = withBounds(2);
    const a = enter('http://a.test');
    const b = enter('http://b.test');
    a.leave();
    b.leave();
    enter('http://a.test').leave();
    enter('http://c.test').leave();
    expect([b.pool.destroyed, a.pool.destroyed]).toEqual([true, false]);
    expect(enter('http://a.test').pool).toBe(a.pool);
  });

  it('never drops an origin with a request under way', () => {
    const { enter } = withBounds(1);
    const a = enter('http://a.test');
    expect(() => enter('http://b.test')).toThrow('too_many_origins');
    expect(a.pool.destroyed).toBe(false);
    a.leave();
    expect(() => enter('http://b.test')).not.toThrow();
  });

  it('limits the requests of an origin', () => {
    const { enter } = withBounds(2);
    enter('http://a.test');
    const second = enter('http://a.test');
    expect(() => enter('http://a.test')).toThrow('too_many_requests');
    second.leave();
    expect(() => enter('http://a.test')).not.toThrow();
  });

  // Bug: an instance that may carry more requests to one origin, or to more origins, hit a limit without a setting.
  it('has room for as many requests and origins as the instance carries', async () => {
    const url = await serve(() => {});
    const fetch = createSafeFetch({ allow: '127.0.0.0/8', connectionsPerOriginMax: 600, requestsMax: 1_100 });
    const giveUp = new AbortController();
    const send = (to: string) => fetch(to, { signal: giveUp.signal }).catch((error: OutboundError) => error.reason);
    const toOne = Array.from({ length: 600 }, () => send(url));
    const toMany = Array.from({ length: 1_099 }, (_, index) => send(`http://n${index}.d${index}.test/`));
    giveUp.abort();
    expect(new Set(await Promise.all([...toOne, ...toMany]))).toEqual(new Set(['aborted']));
    await fetch.close();
  });

  it('opens nothing after it is closed', async () => {
    const closed = withBounds(2);
    const { pool } = closed.enter('http://a.test');
    await closed.close();
    expect(pool.destroyed).toBe(true);
    expect(() => closed.enter('http://a.test')).toThrow('client_closed');
  });
});
