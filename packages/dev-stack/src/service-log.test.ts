import { describe, expect, it } from 'vitest';
import { prettyLine } from './service-log.ts';

describe("the terminal line of a service's log record", () => {
  const line = (err: object): string | undefined =>
    prettyLine('gateway', JSON.stringify({ level: 'error', msg: 'it failed', err }), 'warn', false);

  it('has an error and its cause', () => {
    expect(line({ message: 'no answer', cause: { message: 'timeout' } })).toBe(
      'gateway: it failed (no answer: timeout)',
    );
    expect(line({ message: 'it failed', cause: { message: 'timeout' } })).toBe('gateway: it failed (timeout)');
  });

  it('repeats nothing', () => {
    expect(line({ message: 'no answer: timeout', cause: { message: 'timeout' } })).toBe(
      'gateway: it failed (no answer: timeout)',
    );
    expect(line({ message: 'it failed' })).toBe('gateway: it failed');
  });

  it.each([
    ['gateway', 'gateway: wrong settings: A is not set', 'gateway: wrong settings: A is not set'],
    ['gateway-2', 'gateway: wrong settings: A is not set', 'gateway-2: wrong settings: A is not set'],
    ['gateway', 'pay-proxy: is not there', 'gateway: pay-proxy: is not there'],
    ['gateway', 'out of memory', 'gateway: out of memory'],
  ])('names %s once if the line is plain text: %s', (service, text, shown) =>
    expect(prettyLine(service, text, 'warn', false)).toBe(shown),
  );
});
