/** Bugs: an agent is unreachable because its name servers are silent; a kept address is not checked. */
import { expect, it } from 'vitest';
import { client, failure, serve, text } from './testing/loopback.ts';

/** Answers once, and is silent from then on. */
const onceThenSilent = (address: string): (() => Promise<string[]>) => {
  let lookups = 0;
  return () => {
    lookups += 1;
    return lookups === 1 ? Promise.resolve([address]) : new Promise(() => {});
  };
};

it('a name whose servers have become silent is reached at its kept address', async () => {
  const url = await serve((_, response) => void response.setHeader('connection', 'close').end('here'));
  const { port } = new URL(url);
  const fetch = client({ resolve: onceThenSilent('127.0.0.1'), timeouts: { lookupMs: 200 } });
  for (let times = 0; times < 3; times += 1) {
    expect(await text(fetch, `http://agent.test:${port}/`)).toBe('here');
  }
});

it('a kept address is checked at every connection', async () => {
  const fetch = client({ resolve: onceThenSilent('10.0.0.1'), timeouts: { lookupMs: 200 } });
  for (let times = 0; times < 3; times += 1) {
    expect(await failure(fetch('http://agent.test/'))).toMatchObject({
      kind: 'not_allowed',
      reason: 'private_address',
    });
  }
});
