import { matchScoreSteps } from '../../read-models/agent-standing/match-base.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import type { AgentColumns } from './agent-columns.ts';
import { BestRows, type RankedRow } from './best-rows.ts';
import { capabilityCandidates } from './capability-candidates.ts';
import type { CapabilityStrengths } from './capability-strengths.ts';
import { matchSteps } from './match-steps.ts';
import { satisfies } from './traits.ts';
import type { UniverseLists } from './universe-lists.ts';

/** Whom a question is about: the lists of its universe, and for each filter the traits of which an agent must have one. */
export type Asked = {
  columns: AgentColumns;
  lists: UniverseLists;
  wanted: readonly (readonly number[])[];
};

const passes = ({ columns, wanted }: Asked, row: number): boolean =>
  satisfies(columns.traits[row] as readonly number[], wanted);

/** Without capabilities the order is the agents' own, so the first that pass are the best. The shortest list has the fewest that do not. */
export const firstByBase = (asked: Asked, countMax: number): RankedRow[] => {
  const { columns, lists, wanted } = asked;
  let shortest = lists.byBase;
  for (const [trait, ...others] of wanted) {
    if (trait === undefined || others.length > 0) continue;
    const list = lists.withTrait(trait);
    if (list === undefined) return [];
    if (list.size < shortest.size) shortest = list;
  }
  const found: RankedRow[] = [];
  for (const { values, count } of shortest.chunks) {
    for (let index = 0; index < count; index += 1) {
      if (found.length === countMax) return found;
      const row = values[index] as number;
      if (passes(asked, row)) found.push({ row, steps: matchSteps(0, columns.matchBase[row] as number) });
    }
  }
  return found;
};

/** The best of those that have any of the capabilities, best first. */
export const bestByCapability = (
  asked: Asked,
  strengths: CapabilityStrengths,
  capabilities: readonly ResolvedCapability[],
  countMax: number,
): RankedRow[] => {
  const { columns } = asked;
  const candidates = capabilityCandidates(columns, asked.lists, capabilities);
  const { divisor } = candidates;
  const [only, ...others] = candidates.byRequiredName.flat();
  if (only === undefined) return [];
  const best = new BestRows(columns, countMax, others.length === 0);
  if (others.length === 0) {
    // The usual question by far. The list alone answers it: nothing is looked up for holders that are not among the best.
    const { holders, similarity } = only;
    for (const { values, notes, count } of holders.chunks) {
      for (let index = 0; index < count; index += 1) {
        const packed = values[index] as number;
        const steps = matchSteps((similarity * (packed & 3)) / divisor, notes[index] as number);
        if (steps >= best.stepsMin && passes(asked, packed >>> 2)) best.offer(packed >>> 2, steps);
      }
    }
    return best.sorted();
  }
  strengths.compute(columns.capacity, candidates);
  const { rows, sum, count } = strengths;
  const { matchBase } = columns;
  const first = asked.lists.byBase.chunks[0]?.values[0] as number;
  // That list goes by rounded values, so half a step more is what nobody has.
  const baseMax = (matchSteps(0, matchBase[first] as number) + 0.5) / matchScoreSteps;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const capability = (sum[row] as number) / divisor;
    // Most meet too few of the names to be among the best with whatever they bring, so that is not even looked up.
    if (matchSteps(capability, baseMax) < best.stepsMin) continue;
    const steps = matchSteps(capability, matchBase[row] as number);
    if (steps >= best.stepsMin && passes(asked, row)) best.offer(row, steps);
  }
  return best.sorted();
};

/** All that pass, in no particular order. */
export const allRows = (
  asked: Asked,
  strengths: CapabilityStrengths,
  capabilities: readonly ResolvedCapability[] | null,
): RankedRow[] => {
  const { columns } = asked;
  const found: RankedRow[] = [];
  const take = (row: number, capability: number): void => {
    if (!passes(asked, row)) return;
    found.push({ row, steps: matchSteps(capability, columns.matchBase[row] as number) });
  };
  if (capabilities === null) {
    for (const { values, count } of asked.lists.byBase.chunks) {
      for (let index = 0; index < count; index += 1) take(values[index] as number, 0);
    }
    return found;
  }
  const candidates = capabilityCandidates(columns, asked.lists, capabilities);
  strengths.compute(columns.capacity, candidates);
  const { rows, sum, count } = strengths;
  for (const row of rows.subarray(0, count)) take(row, (sum[row] as number) / candidates.divisor);
  return found;
};
