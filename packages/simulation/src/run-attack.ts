import type { TrustPolicy } from '@agent-trust/trust-policy';
import { type Attack, type AttackRun, type Figure, type Gate, type Mark, meets, type Track } from './attacks/attack.ts';
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
  return atOnce(attackSteps(...given));
}

/** The same in steps, one for each seed, so that whoever runs it may report and stop in between. */
export function* attackSteps(
  attack: Attack,
  policy: TrustPolicy,
  seeds: readonly number[],
  newControl: ((policy: TrustPolicy) => Scoring) | null = attack.control === null ? null : controls[attack.control],
): Generator<undefined, AttackResult> {
  const bySeed = newControl === null ? null : () => newControl(policy);
  return { attack, ...(yield* stepsWith(attack, seeds, () => scoringByPolicy(policy), bySeed)) };
}

/** Runs an attack against two ways of scoring. */
export function runWith(...given: Parameters<typeof stepsWith>): Omit<AttackResult, 'attack'> {
  return atOnce(stepsWith(...given));
}

const atOnce = <Result>(steps: Generator<undefined, Result>): Result => {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};

function* stepsWith(
  attack: Pick<Attack, 'name' | 'marks' | 'run'>,
  seeds: readonly number[],
  newScoring: () => Scoring,
  newControl: (() => Scoring) | null,
): Generator<undefined, Omit<AttackResult, 'attack'>> {
  const byPolicy: AttackRun[] = [];
  const byControl: AttackRun[] | null = newControl === null ? null : [];
  for (const seed of seeds) {
    const runBy = (make: () => Scoring): AttackRun => attack.run(make, seededRandom(`${seed}/${attack.name}`));
    byPolicy.push(runBy(newScoring));
    if (newControl !== null) byControl?.push(runBy(newControl));
    yield;
  }
  const [first] = byPolicy;
  if (first === undefined) throw new RangeError('a simulation needs a seed');
  const figures = first.figures.map((figure, index) => figureResult(figure, index, byPolicy, byControl, seeds));
  return {
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
  // A figure that is not a number meets no gate, and no control is shown to miss one by it.
  const seedsWhere = (holds: (value: number) => boolean, values: number[]): number[] =>
    seeds.filter((_, place) => holds(values[place] ?? Number.NaN));
  const values = valuesOf(byPolicy);
  const controlValues = byControl === null || gate === null ? null : valuesOf(byControl);
  return {
    label,
    gate,
    values,
    worst: gate === null ? null : extreme('worst', values, gate),
    missedSeeds: gate === null ? [] : seedsWhere((value) => !meets(value, gate), values),
    control:
      controlValues === null || gate === null
        ? null
        : {
            values: controlValues,
            best: extreme('best', controlValues, gate),
            passedSeeds: seedsWhere((value) => meets(value, gate) || Number.isNaN(value), controlValues),
          },
  };
};

/** The value that is furthest on the wrong side of a gate (`worst`), or that comes nearest to meeting it (`best`). */
const extreme = (wanted: 'worst' | 'best', values: readonly number[], { relation, limit }: Gate): number => {
  if (relation === '=') {
    const sign = wanted === 'worst' ? 1 : -1;
    const distance = (value: number): number => sign * Math.abs(value - limit);
    return values.reduce((found, value) => (distance(value) > distance(found) ? value : found));
  }
  return (relation === '>=') === (wanted === 'worst') ? Math.min(...values) : Math.max(...values);
};
