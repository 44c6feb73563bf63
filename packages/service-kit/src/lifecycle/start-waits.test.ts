import { describe, expect, it } from 'vitest';
import { type Dependency, startWaits, untilReached } from './start-waits.ts';

const database: Dependency = { name: 'the database', url: 'postgres://u:s3cret@db.internal/registry' };
const failed = (code: string, message = `failed with ${code}`): Error => Object.assign(new Error(message), { code });

const recorded = () => {
  const lines: string[] = [];
  const log = (text: unknown): void => void lines.push(String(text));
  let nowMs = 0;
  const waits = startWaits({ info: log, warn: log } as Parameters<typeof startWaits>[0], () => nowMs);
  return { lines, waits, later: (ms: number) => void (nowMs += ms) };
};

describe('what a start waits for', () => {
  it('is logged at once, then seldom, and shown until it is reached', () => {
    const { lines, waits, later } = recorded();
    expect(waits.text()).toBe('');
    waits.failed(database, failed('ECONNREFUSED'));
    waits.failed({ name: 'NATS', url: 'nats://a:s3cret@n' }, failed('ENOTFOUND'));
    const texts = [
      'waiting for the database at db.internal:5432 (ECONNREFUSED)',
      'waiting for NATS at n:4222 (ENOTFOUND)',
    ];
    expect([lines, waits.text()]).toEqual([texts, texts.join('; ')]);
    later(9_999);
    waits.failed(database, failed('ECONNRESET'));
    expect([lines.length, waits.text()]).toEqual([2, expect.stringContaining('db.internal:5432 (ECONNRESET)')]);
    later(1);
    waits.failed(database, failed('ECONNREFUSED'));
    expect(lines).toHaveLength(3);
    waits.reached(database);
    expect([lines[3], waits.text()]).toEqual(['reached the database at db.internal:5432', texts[1]]);
    // What never failed is not worth a line.
    waits.reached(database);
    expect(lines).toHaveLength(4);
  });
});

describe('untilReached', () => {
  const stopping = new AbortController().signal;
  const attempts = (...outcomes: (Error | string)[]) => {
    let made = 0;
    return () => {
      const outcome = outcomes[made++] ?? 'connected';
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    };
  };

  it.each([
    ['a refused connection', failed('ECONNREFUSED')],
    ['a name that is not known yet', failed('ENOTFOUND')],
    ['a Postgres that starts', failed('57P03', 'the database system is starting up')],
    ['a refusal within another error', new Error('reading failed', { cause: failed('ECONNREFUSED') })],
    ['several addresses that refuse', new AggregateError([failed('ECONNREFUSED')], '')],
    ['a connection that takes too long', new Error('timeout expired')],
    ['what says that it may pass', Object.assign(new Error('no leader'), { code: 'unavailable', retryable: true })],
  ])('waits out %s', async (_, error) => {
    const { lines, waits } = recorded();
    expect(await untilReached({ waits, stopping }, database, attempts(error, 'connected'))).toBe('connected');
    expect(lines).toHaveLength(2);
  });

  it.each([
    ['a wrong password', failed('28P01', 'password authentication failed for user "u"')],
    ['a wrong setting', failed('ERR_INVALID_URL', 'Invalid URL')],
    ['what says that it does not pass', Object.assign(new Error('another format'), { retryable: false })],
  ])('ends at %s, with the address', async (_, error) => {
    const { waits } = recorded();
    const reached = untilReached({ waits, stopping }, database, attempts(error, 'connected'));
    await expect(reached).rejects.toThrow(`the database at db.internal:5432 cannot be used: ${error.message}`);
  });

  it('ends when stopping begins', async () => {
    const { waits } = recorded();
    const stop = new AbortController();
    const reached = untilReached({ waits, stopping: stop.signal }, database, () =>
      Promise.reject(failed('ECONNREFUSED')),
    );
    stop.abort();
    await expect(reached).rejects.toMatchObject({ name: 'AbortError' });
  });
});
