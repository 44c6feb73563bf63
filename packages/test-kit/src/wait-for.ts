import { setTimeout as delay } from 'node:timers/promises';

export interface WaitForOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** What the test waits for; quoted in the error. */
  readonly description?: string;
}

/** Long enough for a machine that is busy and pauses. A condition that will hold usually holds much sooner. */
const timeoutMsDefault = 60_000;
const intervalMsDefault = 20;

/**
 * Polls `condition` until it returns a truthy value, and returns that. A condition that throws counts as not yet true.
 *
 * @throws Error after `timeoutMs`, with the last error as its cause.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitForOptions = {},
): Promise<NonNullable<T>> {
  const timeoutMs = options.timeoutMs ?? timeoutMsDefault;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const answer = await condition();
      if (answer) return answer as NonNullable<T>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`${options.description ?? 'the awaited condition'} did not hold within ${timeoutMs} ms`, {
        cause: lastError,
      });
    }
    await delay(options.intervalMs ?? intervalMsDefault);
  }
}
