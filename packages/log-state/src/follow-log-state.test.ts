import { setImmediate as turn } from 'node:timers/promises';
import type { Rpc } from '@agent-trust/nats-rpc';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followLogState } from './follow-log-state.ts';

const sound = { accepted: 0, fault: null };
const logger = { info: () => undefined, error: () => undefined };

/** A process that follows what trust-projection answers. */
const following = (answer: () => Promise<unknown>) => {
  const stopping = new AbortController();
  const failures: unknown[] = [];
  const rpc = { request: answer } as unknown as Rpc;
  const fail = (error: unknown) => void failures.push(error);
  return {
    watch: followLogState({ rpc, logger, stopping: stopping.signal, fail }),
    failures,
    stop: () => stopping.abort(),
  };
};
const silent = () => Promise.reject(new Error('nobody answers'));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

// Bug: a process that has just started refuses the first request although trust-projection is about to answer.
it('whoever must know the state is told as soon as trust-projection answers', async () => {
  let answer: () => Promise<unknown> = silent;
  const { watch, stop } = following(() => answer());
  const known = watch.whenKnown();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(watch.state()).toBeNull();
  answer = () => Promise.resolve(sound);
  await vi.advanceTimersByTimeAsync(100);
  expect(await known).toEqual(sound);
  expect(await watch.whenKnown()).toEqual(sound);
  stop();
});

it('waits no longer than five seconds, and not once the process stops', async () => {
  const { watch, stop } = following(silent);
  const ended = vi.fn();
  void watch.whenKnown().then(ended);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledExactlyOnceWith(null);
  void watch.whenKnown().then(ended);
  stop();
  await turn();
  expect(ended).toHaveBeenCalledTimes(2);
});

it('keeps what was said last, and ends the process when another log was accepted', async () => {
  let answer: () => Promise<unknown> = () => Promise.resolve(sound);
  const { watch, failures, stop } = following(() => answer());
  expect(await watch.whenKnown()).toEqual(sound);
  answer = silent;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.state()).toEqual(sound);
  expect(failures).toEqual([]);
  answer = () => Promise.resolve({ accepted: 1, fault: null });
  await vi.advanceTimersByTimeAsync(500);
  expect(failures).toHaveLength(1);
  stop();
});
