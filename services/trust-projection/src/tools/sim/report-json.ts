import type { TrustPolicy } from '@agent-trust/trust-policy';
import type { AttackResult } from '@agent-trust/simulation';

/** A run of the simulation, for programs: each figure with its value for each seed; `null` is a count that was not reached. */
export function reportJson(policy: TrustPolicy, results: readonly AttackResult[]): object {
  return {
    trust_policy: policy.name,
    seeds: results[0]?.seeds ?? [],
    proven: results.every(({ isProven }) => isProven),
    attacks: results.map(({ attack, figures, isProven }) => ({
      attack: attack.name,
      title: attack.title,
      control: attack.control,
      beyond_the_table: attack.beyondTheTable,
      proven: attack.beyondTheTable ? null : isProven,
      figures: figures.map(({ label, gate, values, worst, missedSeeds, control }) => ({
        figure: label,
        gate: gate === null ? null : { relation: gate.relation, limit: gate.limit },
        worst: worst === null ? null : reached(worst),
        values: values.map(reached),
        missed_seeds: missedSeeds,
        control:
          control === null
            ? null
            : { best: reached(control.best), values: control.values.map(reached), passed_seeds: control.passedSeeds },
      })),
    })),
  };
}

const reached = (value: number): number | null => (Number.isFinite(value) ? value : null);
