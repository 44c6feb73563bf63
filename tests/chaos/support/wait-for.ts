import { waitFor as poll, type WaitForOptions } from '@agent-trust/test-kit';

/** Patience, not an assertion of speed: what will hold usually holds within seconds, and a machine that runs other tests may stand still for some. */
export const patienceMs = 120_000;

/** `waitFor` with the patience of these tests, where processes are killed beside others that work. */
export function waitFor<T>(condition: () => T | Promise<T>, options: WaitForOptions = {}): Promise<NonNullable<T>> {
  return poll(condition, { timeoutMs: patienceMs, ...options });
}
