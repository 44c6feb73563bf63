import { backoffMs } from '@agent-trust/limits';

const restarts = { firstMs: 50, longestMs: 10_000, jitter: 0 };
/** A crash after this long counts as a first one. */
const soundAfterMs = 30_000;

/** The wait before each restart of a process, in ms, by how long it lived: twice the last one, from the first one again after a sound run. */
export function restartBackoff(): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    if (livedMs >= soundAfterMs) failures = 0;
    return backoffMs(failures++, restarts);
  };
}
