import { rssBytes } from './processes.ts';

/** Bytes by the name of a process. */
export type PeakMemory = Record<string, number>;

const sampleMs = 100;

/**
 * Samples the resident memory of processes until stopped.
 *
 * @param before what growth is measured from; default: what stands at the first sample.
 */
export const watchMemory = (
  pids: Readonly<Record<string, number | undefined>>,
  before?: PeakMemory,
): { now: () => PeakMemory; stop: () => PeakMemory } => {
  const now = (): PeakMemory => Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, rssBytes(pid)]));
  const base = before ?? now();
  const peak: PeakMemory = {};
  const sample = (): void => {
    for (const [name, bytes] of Object.entries(now())) peak[name] = Math.max(peak[name] ?? 0, bytes);
  };
  sample();
  const timer = setInterval(sample, sampleMs);
  return {
    now,
    /** The largest growth of each process. */
    stop: () => {
      clearInterval(timer);
      sample();
      return Object.fromEntries(Object.entries(peak).map(([name, bytes]) => [name, bytes - (base[name] ?? 0)]));
    },
  };
};
