import { backoffMs } from '@agent-trust/limits';

const restarts = { firstMs: 50, longestMs: 10_000, jitter: 0 };
/** A crash after this long counts as a first one. */
const soundAfterMs = 30_000;

/**
 * The waits before a crashed process is restarted, in milliseconds: each is twice as long as the one before, depending on how long the process lived.
 */
export function restartBackoff(): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    if (livedMs >= soundAfterMs) failures = 0;
    return backoffMs(failures++, restarts);
  };
}
