import type { OperationsRates } from '@agent-trust/client';

/** One step of the last quarter of an hour; null for what is not known of it. */
export type Step = {
  /** When it begins, in milliseconds since 1970. */
  atMs: number;
  calls: number | null;
  verifies: number | null;
  refusals: number | null;
  lag: number | null;
};

/** The steps of an answer of GET /ops/rates, oldest first. */
export function stepsOf({ since, step_seconds: seconds, sum, projection }: OperationsRates): Step[] {
  const start = Date.parse(since);
  return sum.requests.map((requests, at) => ({
    atMs: start + at * seconds * 1_000,
    calls: sum.calls[at] ?? null,
    verifies: sum.verifies[at] ?? null,
    refusals: requests === null ? null : sum.refusals.reduce((total, { counts }) => total + (counts[at] ?? 0), 0),
    lag: projection?.points[at]?.lag ?? null,
  }));
}

/** What is known, summed. */
export function totalOf(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
