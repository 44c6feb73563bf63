import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { callRoute } from './routes.ts';

const accepts = (forwardedHeaders: unknown): boolean =>
  callRoute.body?.safeParse({
    caller_agent_id: 'caller',
    agent_id: 'receiver',
    message: {},
    forwarded_headers: forwardedHeaders,
  }).success === true;

describe('forwarded_headers', () => {
  it.each([
    ['none', null, true],
    ['a name and a value of HTTP', { 'x-tenant': 'a b' }, true],
    ['a line break in a value', { 'x-tenant': 'a\r\nb: c' }, false],
    ['a blank in a name', { 'x tenant': 'a' }, false],
    ['a value that is no text', { 'x-tenant': 1 }, false],
  ])('judges %s', (_what, headers, valid) => expect(accepts(headers)).toBe(valid));

  // Bug: each header was within its limit, all together exceeded the limit of the outbound client, and the agent was blamed.
  it('have a common limit as well', () => {
    const quarter = limits.forwardedHeadersBytesMax / 4;
    const line = (name: string): [string, string] => [name, 'x'.repeat(quarter - `${name}: \r\n`.length)];
    const full = ['a', 'b', 'c', 'd'].map(line);
    expect(accepts(Object.fromEntries(full))).toBe(true);
    expect(accepts(Object.fromEntries([...full, ['e', '']]))).toBe(false);
  });
});
