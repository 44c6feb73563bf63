import type { Attack, Figure, Gate } from '../attacks/attack.ts';
import type { SeededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import type { ControlNameV2 } from './scoring-v2.ts';

/** A row of the gate table of policy v2. */
export type AttackV2 = {
  name: string;
  title: string;
  /** A scoring that must miss every gate of the row; null: the row has no control. */
  control: ControlNameV2 | null;
  marks: Attack['marks'];
  run: Attack['run'];
};

/** What one run of a row gives: figures without gates. */
export type Play = (newScoring: () => Scoring, random: SeededRandom) => Record<string, number>;

/** A row with its gates by figure; a figure without a gate is shown only. */
export function row(
  name: string,
  title: string,
  { control = null, gates }: { control?: ControlNameV2 | null; gates: Record<string, Gate | null> },
  play: Play,
): AttackV2 {
  return {
    name,
    title,
    control,
    marks: [],
    run: (newScoring, random) => {
      const values = play(newScoring, random);
      const figures = Object.entries(gates).map(
        ([label, gate]): Figure => ({ label, value: values[label] ?? Number.NaN, gate }),
      );
      return { figures, tracks: [] };
    },
  };
}

export const atMost = (limit: number): Gate => ({ relation: '<=', limit });
export const atLeast = (limit: number): Gate => ({ relation: '>=', limit });
export const below = (limit: number): Gate => ({ relation: '<', limit });
export const exactly = (limit: number): Gate => ({ relation: '=', limit });
