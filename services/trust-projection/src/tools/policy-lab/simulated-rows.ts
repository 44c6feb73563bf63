import type { SimulatedAttack, SimulatedCourse } from '@agent-trust/contracts';
import {
  allAttacks,
  type AttackResult,
  type AttackResultV2,
  attackSteps,
  attackStepsV2,
  gateTableV2,
  shownSteps,
  tracksOf,
} from '@agent-trust/simulation';
import type { AnyTrustPolicy } from '@agent-trust/trust-policy';
import { attackFigures, attackFiguresV2 } from '../sim/report.ts';

/** What an attack came to: its figures, and its course for a plot. */
export type SimulatedRow = { shown: SimulatedAttack; detail: SimulatedCourse };

/** An attack on a policy, in steps, one for each seed. */
export type RowToSimulate = { name: string; steps: () => Generator<undefined, SimulatedRow> };

/** How many attacks a policy of a formula has to withstand. */
export function rowCountOf(formula: AnyTrustPolicy['formula']): number {
  return formula === 'v1' ? allAttacks.length : gateTableV2.length;
}

/** The attacks on a policy, those of its formula, in the order of their table. */
export function rowsToSimulate(policy: AnyTrustPolicy, seeds: readonly number[]): RowToSimulate[] {
  if (policy.formula === 'v1') {
    return allAttacks.map((attack) => ({
      name: attack.name,
      *steps() {
        const result = yield* attackSteps(attack, policy, seeds);
        return { shown: attackFigures(result), detail: courseOf(result) };
      },
    }));
  }
  return gateTableV2.map((attack) => ({
    name: attack.name,
    *steps() {
      const result = yield* attackStepsV2(attack, policy, seeds);
      return { shown: attackFiguresV2(result), detail: courseOfV2(result) };
    },
  }));
}

type Tracks = SimulatedCourse['tracks'];

const shownTracks = (of: AttackResult['tracks']['policy'], by: 'policy' | 'control'): Tracks =>
  of.map(({ label, scores }) => {
    const steps = shownSteps(scores);
    return { label, by, steps, scores: steps.map((step) => scores[step] ?? null) };
  });

const courseOf = ({ attack, seeds, marks, tracks }: AttackResult): SimulatedCourse => ({
  attack: attack.name,
  title: attack.title,
  steps: attack.steps,
  seed: seeds[0] ?? 0,
  marks,
  tracks: [...shownTracks(tracks.policy, 'policy'), ...shownTracks(tracks.control ?? [], 'control')],
});

const courseOfV2 = ({ attack, seeds, courses }: AttackResultV2): SimulatedCourse => ({
  attack: attack.name,
  title: attack.title,
  steps: attack.steps,
  seed: seeds[0] ?? 0,
  marks: [...attack.marks],
  tracks: courses.flatMap((course): Tracks => {
    const tracks = tracksOf(course);
    if (course.by === 'policy') return shownTracks(tracks, 'policy');
    return shownTracks(tracks, 'control').map((track) => ({ ...track, label: `${track.label}: ${course.by}` }));
  }),
});
