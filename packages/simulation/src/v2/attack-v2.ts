import type { Gate, Mark, Track } from '../attacks/attack.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import type { ControlNameV2 } from './controls-v2.ts';

/** What the policy promises of a figure; null: the figure is only shown. */
export type PromiseV2 = {
  gate: Gate;
  /** Ways of scoring that must miss the gate, or it proves nothing. */
  missedBy: readonly ControlNameV2[];
  /** Of seeds 1–20 those for which this play misses the gate although the policy is as specified; docs/simulation.md says why. */
  knownMisses: readonly number[];
} | null;

/** What one play gives: a value for each figure of its case, and scores to plot. A case with one track leaves its label empty. */
export type Played = { values: Readonly<Record<string, number>>; tracks: readonly Track[] };

export type CaseV2 = {
  /** Names the case within its attack, in reports and plots. */
  label: string;
  figures: Readonly<Record<string, PromiseV2>>;
  play: (newScoring: () => Scoring, random: SeededRandom) => Played;
};

/** A row of the gate table of policy v2 (docs/simulation.md), or one beyond it, which has no gates. */
export type AttackV2 = {
  name: string;
  title: string;
  /** What the plot's horizontal axis counts. */
  steps: string;
  marks: readonly Mark[];
  cases: readonly CaseV2[];
};

export function played(values: Played['values'], scores: Track['scores']): Played {
  return { values, tracks: [{ label: '', scores }] };
}

export function promise(gate: Gate, ...missedBy: readonly ControlNameV2[]): NonNullable<PromiseV2> {
  return { gate, missedBy, knownMisses: [] };
}

/** A promise that one way to play the row shows not to be kept always. */
export function missedFor(seeds: readonly number[], promised: NonNullable<PromiseV2>): PromiseV2 {
  return { ...promised, knownMisses: seeds };
}

export const atMost = (limit: number): Gate => ({ relation: '<=', limit });
export const atLeast = (limit: number): Gate => ({ relation: '>=', limit });
export const below = (limit: number): Gate => ({ relation: '<', limit });
export const exactly = (limit: number): Gate => ({ relation: '=', limit });

export const trusted: Mark = { score: 70, label: 'trusted' };
export const below50: Mark = { score: 50, label: 'below 50' };
