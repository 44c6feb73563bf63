import type { Stack } from '@agent-trust/dev-stack';
import { rssBytes } from './processes.ts';

/** Bytes by process name. */
export type PeakMemory = Record<string, number>;

const sampleMs = 100;
const mebibyte = 1024 * 1024;

/** The processes of a stack with one of these names, in the form that `watchMemory` needs. */
export function pidsOf(stack: Stack, names: readonly string[]): Record<string, number | undefined> {
  return Object.fromEntries(
    stack
      .processes()
      .filter(({ name }) => names.includes(name))
      .map(({ name, pid }) => [name, pid]),
  );
}

/** Prints growths if CHAOS_FIGURES is set. */
export function reportGrowth(what: string, growths: readonly PeakMemory[]): void {
  if (process.env['CHAOS_FIGURES'] === undefined) return;
  const shown = growths.map((growth) =>
    Object.entries(growth)
      .map(([name, bytes]) => `${name} ${(bytes / mebibyte).toFixed(0)}`)
      .join(', '),
  );
  process.stderr.write(`  ${what}: peak growth of RSS in MiB: ${shown.join('; ')}\n`);
}

/**
 * Samples the resident memory of processes until stopped.
 *
 * @param before the baseline of growth; default: the first sample.
 */
export function watchMemory(
  pids: Readonly<Record<string, number | undefined>>,
  before?: PeakMemory,
): { now: () => PeakMemory; stop: () => PeakMemory } {
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
}
