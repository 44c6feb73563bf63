import { createLogger } from '@agent-trust/service-kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPublishing, publicationWaitMs, type Published } from './publish-taxonomy.ts';

const logger = createLogger({ service: 'registry-write', instanceId: 'test', level: 'silent' });
const nothing: Published = { defined: 0, retired: 0 };

/** Whether a promise has settled yet. */
const isDone = async (promise: Promise<void>): Promise<boolean> => {
  const pending = Symbol('pending');
  await vi.advanceTimersByTimeAsync(0);
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
};

describe('publishing at the start', () => {
  let stopping: AbortController;
  let tries: number;
  beforeEach(() => {
    vi.useFakeTimers();
    stopping = new AbortController();
    tries = 0;
  });
  afterEach(() => {
    stopping.abort();
    vi.useRealTimers();
  });
  const start = (publish: () => Promise<Published>): Promise<void> =>
    keepPublishing(
      () => {
        tries += 1;
        return publish();
      },
      { logger, stopping: stopping.signal },
    );

  it('is awaited, and done once', async () => {
    await start(async () => nothing);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(tries).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is retried until it succeeds', async () => {
    const started = start(async () => {
      if (tries < 3) throw new Error('the log is away');
      return nothing;
    });
    expect(await isDone(started)).toBe(false);
    await vi.advanceTimersByTimeAsync(500 + 1_000);
    expect(await isDone(started)).toBe(true);
    expect(tries).toBe(3);
  });

  it('delays the start no longer than its timeout, and continues in the background', async () => {
    const slow = Promise.withResolvers<Published>();
    const started = start(() => slow.promise);
    await vi.advanceTimersByTimeAsync(publicationWaitMs - 1);
    expect(await isDone(started)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isDone(started)).toBe(true);
    slow.reject(new Error('the log is away'));
    await vi.advanceTimersByTimeAsync(500);
    expect(tries).toBe(2);
  });

  it('ends when the service stops', async () => {
    const started = start(async () => {
      throw new Error('the log is away');
    });
    await vi.advanceTimersByTimeAsync(1);
    stopping.abort();
    await started;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(tries).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
