import type { SeededRandom } from '../random/seeded-random.ts';
import type { ControlName } from '../scoring/controls.ts';
import type { Scoring } from '../scoring/scoring.ts';

/** What a figure must be. */
export type Gate = { relation: '<' | '<=' | '>=' | '='; limit: number };

/** One figure of one run. */
export type Figure = { label: string; value: number; gate: Gate | null };

/** Scores over the steps of a run, for the plot. `null`: nothing to show at that step. */
export type Track = { label: string; scores: (number | null)[] };

/** A score that the plot marks. */
export type Mark = { score: number; label: string };

/** The result of one simulation with one way of scoring. `marks` are those that depend on the run. */
export type AttackRun = { figures: Figure[]; tracks: Track[]; marks?: Mark[] };

/** A row of the gate table (docs/simulation.md), or a variant beyond it, which has no gates. */
export type Attack = {
  /** What `--attack` takes. */
  name: string;
  title: string;
  /** A scoring that must miss every gate of the row; null: the row has no control. */
  control: ControlName | null;
  /** What the plot's horizontal axis counts. */
  steps: string;
  marks: Mark[];
  /** Whether the row belongs to the gate table. */
  beyondTheTable: boolean;
  run: (newScoring: () => Scoring, random: SeededRandom) => AttackRun;
};

export function meets(value: number, { relation, limit }: Gate): boolean {
  switch (relation) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>=':
      return value >= limit;
    case '=':
      return value === limit;
    default:
      return relation satisfies never;
  }
}

export const belowMarks: Mark[] = [
  { score: 70, label: 'below 70' },
  { score: 50, label: 'below 50' },
];

/** How many reviews it took until the score was first below a limit, from the scores after each; infinity when it never was. */
export function reviewsUntilBelow(limit: number, scores: readonly number[]): number {
  const found = scores.findIndex((score) => score < limit);
  return found === -1 ? Number.POSITIVE_INFINITY : found + 1;
}
