/** Bug meant: an address gets out in a writing that is looked for in one place and not in the other. */
import { describe, expect, it } from 'vitest';
import { createTraces } from './traces.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const isTold = (text: string, ...addresses: string[]): boolean => createTraces(addresses).areIn(text);

describe('an address', () => {
  const endpoint = 'https://hidden.example:8443/rpc';
  it.each([
    'https://hidden.example/',
    'HIDDEN.EXAMPLE',
    'hidden.example.',
    'on :8443',
    'hidden%2Eexample',
    '%zz hidden%2eexample',
    '{"at":"hidden\\u002eexample"}',
    '{"at":"https:\\/\\/hidden.example"}',
    base64('{"url":"https://hidden.example:8443/"}'),
    base64(`{"inner":"${base64('hidden.example')}"}`),
    `Payment request="${Buffer.from('{"realm":"hidden.example"}').toString('base64url')}", id=1`,
    base64('{"at":"hidden\\u002eexample"}'),
    `/r/${base64('at hidden.example??>>')}`,
  ])('is told by %s', (text) => expect(isTold(text, endpoint)).toBe(true));

  it.each(['Bearer realm="agents"', 'Sat, 21 Nov 2026 08:44:43 GMT', 'W/"84438443"', base64('{"success":true}'), ''])(
    'is not told by %j',
    (text) => expect(isTold(text, endpoint)).toBe(false),
  );

  it.each([
    'at xn--bcher-kva.example',
    'at bücher.example',
    'at BÜCHER.example',
    encodeURIComponent('https://bücher.example/'),
    base64('{"at":"bücher.example"}'),
    '{"at":"b\\u00fccher.example"}',
    Buffer.from('at bücher.example').toString('latin1'),
  ])('of an international name is told by %s', (text) => expect(isTold(text, 'https://bücher.example/')).toBe(true));

  it('that is short is told in base64, too', () => {
    expect(isTold(base64('//a.io'), 'https://a.io/')).toBe(true);
    expect(isTold(base64('//b.io'), 'https://a.io/')).toBe(false);
  });

  it('is told as a number that means the same', () => {
    expect(['http://2130706433/', 'http://0x7f.1/'].map((text) => isTold(text, 'http://127.0.0.1:9/'))).toEqual([
      true,
      true,
    ]);
    expect(isTold('http://[2001:DB8:0::7]/', 'http://[2001:db8::7]:4021/')).toBe(true);
  });

  it.each([
    'see http://2130706433/x',
    'see http://2130706433.',
    '(http://0x7f.1:9), or',
    '{"at":"HTTP://0X7F.0.0.1"}',
    'https://a.example/?to=http://user:b@x@127.1&then=x',
    'at //017700000001',
    String.raw`at http:\\127.0.1\x`,
    'at https%3A%2F%2F2130706433',
    `/r/${base64('go to http://2130706433 now')}`,
    'at http://１２７.0.0.1/',
  ])('is told as such a number inside a text: %s', (text) => {
    expect(isTold(text, 'http://127.0.0.1:9/')).toBe(true);
    expect(isTold(text, 'http://127.0.0.2:99/')).toBe(false);
  });

  it('is told as such an address of version 6 inside a text', () => {
    const text = 'at http://[2001:DB8:0::7]:80/x';
    expect([isTold(text, 'http://[2001:db8::7]/'), isTold(text, 'http://[2001:db8::8]/')]).toEqual([true, false]);
  });

  it('is not told by a number that is no address', () => {
    expect(
      ['2130706433', 'amount: 2130706433', 'a/2130706433', 'http: 2130706433'].map((text) =>
        isTold(text, 'http://127.0.0.1/'),
      ),
    ).toEqual(Array(4).fill(false));
  });

  // Bug: a pattern that goes back over the same text again and again.
  it.each(['//', '//a', '//[', '//@', '\\\\[:', '//a@', 'a', ' //1', ':'])(
    'is looked for in a long text of %j in no time',
    (piece) => {
      const text = piece.repeat(Math.ceil((256 * 1024) / piece.length));
      const startedAt = performance.now();
      expect(isTold(text, 'http://127.0.0.1/')).toBe(false);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    },
  );

  it('may have the digits of a time for its port, and a word for its host', () => {
    expect(isTold('Sat, 21 Nov 2026 10:44:80 GMT', 'http://agents.example:80/')).toBe(false);
    expect(isTold('Sat, 21 Nov 2026 10:44:43 GMT', 'http://agents.example:44/')).toBe(false);
    expect(isTold('attachment; filename="agent.pdf"', 'http://agent:4021/')).toBe(false);
    expect(isTold('http://agent/', 'http://agent:4021/')).toBe(true);
    expect(isTold('http://agent.:80/', 'http://agent:4021/')).toBe(true);
  });

  it('is any of several', () => {
    expect(isTold('at b.example', 'https://a.example/', 'https://b.example/')).toBe(true);
    expect(isTold('at c.example', 'https://a.example/', 'no address')).toBe(false);
  });
});
