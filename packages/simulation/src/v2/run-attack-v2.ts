import { policyV1, type TrustPolicyV2 } from '@agent-trust/trust-policy';
import type { Gate, Track } from '../attacks/attack.ts';
import { bestOf, seedsThatMeet, seedsThatMiss, worstOf } from '../figure-values.ts';
import { seededRandom } from '../random/seeded-random.ts';
import { lastOf } from '../run-attack.ts';
import { type Scoring, scoringByPolicy } from '../scoring/scoring.ts';
import type { AttackV2, CaseV2, Played, PromiseV2 } from './attack-v2.ts';
import { type ControlNameV2, controlsV2 } from './controls-v2.ts';
import { scoringByPolicyV2 } from './scoring-v2.ts';

/** One figure of one case over all seeds. Each list has a value for each seed, in the order of the seeds. */
export type FigureResultV2 = {
  case: string;
  label: string;
  gate: Gate | null;
  values: number[];
  /** The value nearest to missing the gate, or furthest beyond it; null without a gate. */
  worst: number | null;
  missedSeeds: number[];
  /** See `PromiseV2`. They do not fail a run. */
  knownMisses: readonly number[];
  /** Seeds for which it is missed, and which are not among these. */
  unknownMisses: number[];
  controls: {
    name: ControlNameV2;
    values: number[];
    /** The value nearest to meeting the gate. */
    best: number;
    /** Seeds for which the control met the gate, which it must miss. */
    passedSeeds: number[];
  }[];
  /** What policy v1 makes of the same play; null if it was not asked for. */
  byV1: number[] | null;
};

/** What one case looks like for the first seed. */
export type Course = { case: string; by: ControlNameV2 | 'policy'; tracks: readonly Track[] };

export type AttackResultV2 = {
  attack: AttackV2;
  seeds: number[];
  figures: FigureResultV2[];
  courses: Course[];
  /** Whether all gates hold for all seeds, but for known misses, and all are missed by each of their controls for all seeds. */
  isProven: boolean;
};

/** Runs an attack against a policy of formula v2, against its controls, and if wanted against v1, with the same course of chance for each seed. */
export function runAttackV2(...given: Parameters<typeof attackStepsV2>): AttackResultV2 {
  return lastOf(attackStepsV2(...given));
}

/** The same in steps, one for each seed, so that whoever runs it may report and stop in between. */
export function* attackStepsV2(
  attack: AttackV2,
  policy: TrustPolicyV2,
  seeds: readonly number[],
  { isBesideV1 = false }: { isBesideV1?: boolean } = {},
): Generator<undefined, AttackResultV2> {
  if (seeds.length === 0) throw new RangeError('a simulation needs a seed');
  const runs = attack.cases.map((each) => ({
    case: each,
    byPolicy: [] as Played[],
    byV1: isBesideV1 ? ([] as Played[]) : null,
    byControl: controlsOf(each).map((name) => ({ name, played: [] as Played[] })),
  }));
  for (const seed of seeds) {
    for (const { case: one, byPolicy, byV1, byControl } of runs) {
      const play = (newScoring: () => Scoring): Played =>
        one.play(newScoring, seededRandom(`${seed}/${attack.name}/${one.label}`));
      byPolicy.push(play(() => scoringByPolicyV2(policy)));
      byV1?.push(play(() => scoringByPolicy(policyV1)));
      for (const { name, played } of byControl) played.push(play(() => controlsV2[name](policy)));
    }
    yield;
  }
  const figures = runs.flatMap(({ case: { label, figures: promises }, byPolicy, byV1, byControl }) =>
    Object.entries(promises).map(([figure, promised]): FigureResultV2 => {
      const valuesOf = (played: readonly Played[]): number[] =>
        played.map(({ values }) => values[figure] ?? Number.NaN);
      const controls = byControl.map(({ name, played }) => ({ name, values: valuesOf(played) }));
      return {
        case: label,
        label: figure,
        ...judged(promised, valuesOf(byPolicy), controls, seeds),
        byV1: byV1 === null ? null : valuesOf(byV1),
      };
    }),
  );
  const courses = runs.flatMap(({ case: { label }, byPolicy, byControl }) => [
    { case: label, by: 'policy' as const, tracks: byPolicy[0]?.tracks ?? [] },
    ...byControl.map(({ name, played }) => ({ case: label, by: name, tracks: played[0]?.tracks ?? [] })),
  ]);
  const isProven = figures.every(
    ({ unknownMisses, controls }) =>
      unknownMisses.length === 0 && controls.every(({ passedSeeds }) => passedSeeds.length === 0),
  );
  return { attack, seeds: [...seeds], figures, courses, isProven };
}

const controlsOf = ({ figures }: CaseV2): ControlNameV2[] => [
  ...new Set(Object.values(figures).flatMap((promised) => promised?.missedBy ?? [])),
];

const judged = (
  promised: PromiseV2,
  values: number[],
  controls: readonly { name: ControlNameV2; values: number[] }[],
  seeds: readonly number[],
): Omit<FigureResultV2, 'case' | 'label' | 'byV1'> => {
  if (promised === null) {
    return { gate: null, values, worst: null, missedSeeds: [], knownMisses: [], unknownMisses: [], controls: [] };
  }
  const { gate, missedBy, knownMisses } = promised;
  const missedSeeds = seedsThatMiss(seeds, values, gate);
  return {
    gate,
    values,
    worst: worstOf(values, gate),
    missedSeeds,
    knownMisses,
    unknownMisses: missedSeeds.filter((seed) => !knownMisses.includes(seed)),
    controls: controls
      .filter(({ name }) => missedBy.includes(name))
      .map((control) => ({
        ...control,
        best: bestOf(control.values, gate),
        passedSeeds: seedsThatMeet(seeds, control.values, gate),
      })),
  };
};
