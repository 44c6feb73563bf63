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
});
