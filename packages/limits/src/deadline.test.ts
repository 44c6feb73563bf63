/** Bugs: a timer outlives the work; work that fails late causes an unhandled rejection; a long timer fires at once. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeadlineError, pause, withDeadline, withFallback } from './deadline.ts';

const late = (): Error => new DeadlineError('counting', 50);
const never = (): Promise<never> => new Promise(() => {});

describe('deadlines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('give the result, and leave no timer', async () => {
    await expect(withDeadline(Promise.resolve('done'), 50, late)).resolves.toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('pass on a failure, and leave no timer', async () => {
    await expect(withDeadline(Promise.reject(new Error('broken')), 50, late)).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reject with their own error after the timeout, not before', async () => {
    let settled: unknown = 'pending';
    void withDeadline(never(), 50, late).catch((error: unknown) => (settled = error));
    await vi.advanceTimersByTimeAsync(49);
    expect(settled).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual(new DeadlineError('counting', 50));
    expect(settled).toHaveProperty('message', 'counting took longer than 50 ms');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that are past end at once, without a warning of Node', async () => {
    vi.useRealTimers();
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    await expect(withDeadline(never(), -2.8, late)).rejects.toEqual(new DeadlineError('counting', 50));
    await expect(pause(-2.8)).resolves.toBe(true);
    expect(warnings).toEqual([]);
  });

  it("do not end early if the time exceeds a timer's range", async () => {
    let settled = false;
    void withDeadline(never(), 2 ** 40, late).catch(() => (settled = true));
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(settled).toBe(false);
  });

  it('fall back after the timeout, but not on a failure', async () => {
    const fallback = withFallback<string, null>(never(), 50, () => null);
    await vi.advanceTimersByTimeAsync(50);
    await expect(fallback).resolves.toBeNull();
    await expect(withFallback(Promise.resolve(null), 50, () => 'fallback')).resolves.toBeNull();
    await expect(withFallback(Promise.reject(new Error('broken')), 50, () => null)).rejects.toThrow('broken');
  });

  it('pause for the time, or until the signal aborts', async () => {
    const ending = new AbortController();
    const pauses = [pause(100), pause(100, ending.signal), pause(200, ending.signal), pause(10, AbortSignal.abort())];
    await vi.advanceTimersByTimeAsync(100);
    ending.abort();
    await expect(Promise.all(pauses)).resolves.toEqual([true, true, false, false]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('work that fails after its deadline', () => {
  it('causes no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const work = Promise.withResolvers<string>();
    await expect(withDeadline(work.promise, 1, late)).rejects.toThrow(DeadlineError);
    work.reject(new Error('too late'));
    await delay(20);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
