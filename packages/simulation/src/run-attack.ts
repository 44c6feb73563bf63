import type { TrustPolicy } from '@agent-trust/trust-policy';
import type { Attack, AttackRun, Figure, Gate, Mark, Track } from './attacks/attack.ts';
import { bestOf, seedsThatMeet, seedsThatMiss, worstOf } from './figure-values.ts';
import { seededRandom } from './random/seeded-random.ts';
import { type Scoring, scoringByPolicy } from './scoring/scoring.ts';
import { controls } from './scoring/controls.ts';

/** One figure of an attack over all seeds. Each list has a value for each seed, in the order of the seeds. */
export type FigureResult = {
  label: string;
  gate: Gate | null;
  values: number[];
  /** The value nearest to missing the gate, or furthest beyond it; null without a gate. */
  worst: number | null;
  /** Seeds for which the gate is missed. */
  missedSeeds: number[];
  control: {
    values: number[];
    /** The value nearest to meeting the gate. */
    best: number;
    /** Seeds for which the control met the gate, which it must miss. */
    passedSeeds: number[];
  } | null;
};

export type AttackResult = {
  attack: Attack;
  seeds: number[];
  figures: FigureResult[];
  /** Of the first seed, as are the marks. */
  tracks: { policy: Track[]; control: Track[] | null };
  marks: Mark[];
  /** Whether all gates hold for all seeds, and all are missed by the control for all seeds. */
  isProven: boolean;
};

/** Runs an attack against a policy, and against its control, with the same course of chance for each seed. */
export function runAttack(...given: Parameters<typeof attackSteps>): AttackResult {
  return lastOf(attackSteps(...given));
}

/** Takes all steps, and returns what they lead to. */
export function lastOf<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps, one for each seed, so that whoever runs it may report and stop in between. */
export function* attackSteps(
  attack: Attack,
  policy: TrustPolicy,
  seeds: readonly number[],
  newControl: ((policy: TrustPolicy) => Scoring) | null = attack.control === null ? null : controls[attack.control],
): Generator<undefined, AttackResult> {
  const byPolicy: AttackRun[] = [];
  const byControl: AttackRun[] | null = newControl === null ? null : [];
  for (const seed of seeds) {
    const runBy = (make: () => Scoring): AttackRun => attack.run(make, seededRandom(`${seed}/${attack.name}`));
    byPolicy.push(runBy(() => scoringByPolicy(policy)));
    if (newControl !== null) byControl?.push(runBy(() => newControl(policy)));
    yield;
  }
  const [first] = byPolicy;
  if (first === undefined) throw new RangeError('a simulation needs a seed');
  const figures = first.figures.map((figure, index) => figureResult(figure, index, byPolicy, byControl, seeds));
  return {
    attack,
    seeds: [...seeds],
    figures,
    tracks: { policy: first.tracks, control: byControl?.[0]?.tracks ?? null },
    marks: [...attack.marks, ...(first.marks ?? [])],
    isProven: figures.every(
      ({ missedSeeds, control }) => missedSeeds.length === 0 && (control === null || control.passedSeeds.length === 0),
    ),
  };
}

const figureResult = (
  { label, gate }: Figure,
  index: number,
  byPolicy: readonly AttackRun[],
  byControl: readonly AttackRun[] | null,
  seeds: readonly number[],
): FigureResult => {
  const valuesOf = (runs: readonly AttackRun[]): number[] =>
    runs.map(({ figures }) => figures[index]?.value ?? Number.NaN);
  const values = valuesOf(byPolicy);
  const controlValues = byControl === null || gate === null ? null : valuesOf(byControl);
  return {
    label,
    gate,
    values,
    worst: gate === null ? null : worstOf(values, gate),
    missedSeeds: gate === null ? [] : seedsThatMiss(seeds, values, gate),
    control:
      controlValues === null || gate === null
        ? null
        : {
            values: controlValues,
            best: bestOf(controlValues, gate),
            passedSeeds: seedsThatMeet(seeds, controlValues, gate),
          },
  };
};
