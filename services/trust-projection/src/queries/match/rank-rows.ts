import type { ResolvedCapability } from '../resolve-capabilities.ts';
import type { AgentColumns } from './agent-columns.ts';
import { BestRows, type RankedRow } from './best-rows.ts';
import { type CapabilityCandidates, capabilityCandidates, strengthOf } from './capability-candidates.ts';
import type { HoldersOfSeveral } from './holders-of-several.ts';
import { capabilityMin, matchSteps } from '../../projector/read-models/agent-standing/match-base.ts';
import { hasBit, type RowList } from './row-list.ts';
import { satisfies } from './traits.ts';
import type { UniverseLists } from './universe-lists.ts';

/** Whom a question is about: the lists of its universe, and for each filter the traits of which an agent must have one. */
export type Asked = {
  columns: AgentColumns;
  lists: UniverseLists;
  wanted: readonly (readonly number[])[];
};

type Passes = (row: number) => boolean;

/** How rows are held against the filters: by bits, if all lists of them have some. */
const passing = ({ columns, lists, wanted }: Asked): Passes => {
  if (wanted.length === 0) return () => true;
  const bits = wanted.map((anyOf) => anyOf.flatMap((trait) => lists.withTrait(trait) ?? []).map((list) => list.bits));
  if (!bits.every((ofFilter) => ofFilter.every((one) => one !== null))) {
    return (row) => satisfies(columns.traits[row] as readonly number[], wanted);
  }
  return (row) => {
    for (const anyOf of bits) if (!anyOf.some((one) => hasBit(one, row))) return false;
    return true;
  };
};

/** The agents of a question's filters that are fewest, as far as a list has just them; without such a filter all agents. */
const fewestByFilter = ({ lists, wanted }: Asked): RowList | null => {
  let fewest = lists.byBase;
  for (const [trait, ...others] of wanted) {
    if (trait === undefined || others.length > 0) continue;
    const list = lists.withTrait(trait);
    if (list === undefined) return null;
    if (list.size < fewest.size) fewest = list;
  }
  return fewest;
};

/** Offers rows of a list, sorted by score, whose members meet the question equally well, until no further row can be among the best. */
const offerByBase = (passes: Passes, best: BestRows, list: RowList, capability: number): void => {
  let refused = Number.NaN;
  for (const { values, notes, count } of list.chunks) {
    // A row that was turned away stands ahead of all who bring the same: a market of newcomers is left behind in chunks.
    if (notes[count - 1] === refused) continue;
    for (let index = 0; index < count; index += 1) {
      const base = notes[index] as number;
      if (base === refused) continue;
      const steps = matchSteps(capability, base);
      if (steps < best.stepsMin) return;
      const row = values[index] as number;
      if (passes(row) && !best.offer(row, steps)) refused = base;
    }
  }
};

/** Offers each row of a list with the capability that it has; those without any are no match. */
const offerOneByOne = (
  { columns: { capabilities } }: Asked,
  passes: Passes,
  best: BestRows,
  list: RowList,
  candidates: CapabilityCandidates,
): void => {
  for (const { values, notes, count } of list.chunks) {
    for (let index = 0; index < count; index += 1) {
      const row = values[index] as number;
      const strength = strengthOf(capabilities[row] as readonly number[], candidates);
      if (strength === 0) continue;
      const steps = matchSteps(strength / candidates.divisor, notes[index] as number);
      if (steps >= best.stepsMin && passes(row)) best.offer(row, steps);
    }
  }
};

/** Offers those who have more than one of the candidates. */
const offerSeveral = (
  asked: Asked,
  passes: Passes,
  best: BestRows,
  several: HoldersOfSeveral,
  divisor: number,
): void => {
  const { matchBase } = asked.columns;
  const { rows, sums, count } = several;
  const baseMax = asked.lists.byBase.chunks[0]?.notes[0] as number;
  let stepsMin = 0;
  // Most meet too little of the question to be among the best with whatever they bring, so that is not even looked up.
  let strengthMin = 0;
  for (let index = 0; index < count; index += 1) {
    const strength = sums[index] as number;
    if (strength < strengthMin) continue;
    const row = rows[index] as number;
    const steps = matchSteps(strength / divisor, matchBase[row] as number);
    if (steps < stepsMin || !passes(row)) continue;
    best.offer(row, steps);
    if (best.stepsMin === stepsMin) continue;
    stepsMin = best.stepsMin;
    strengthMin = divisor * capabilityMin(stepsMin, baseMax);
  }
};

/** Offers all who have any of the candidates, as far as they can be among the best. */
const offerHolders = (
  asked: Asked,
  passes: Passes,
  best: BestRows,
  several: HoldersOfSeveral,
  candidates: CapabilityCandidates,
): void => {
  const { byRequiredName, divisor } = candidates;
  const all = byRequiredName.flat();
  let passesAlone = passes;
  if (all.length > 1) {
    several.compute(asked.columns, candidates);
    offerSeveral(asked, passes, best, several, divisor);
    passesAlone = (row) => !several.has(row) && passes(row);
  }
  const lists = all.flatMap(({ holders, similarity }) =>
    holders.ofWeight.map(([weight, list]) => ({ list, strength: similarity * weight })),
  );
  // Those who may be best first: the others are then left sooner.
  for (const { list, strength } of lists.sort((a, b) => b.strength - a.strength)) {
    offerByBase(passesAlone, best, list, strength / divisor);
  }
};

/** The best that pass and, where any are asked for, have any of the capabilities; best first. */
export function bestRows(
  asked: Asked,
  several: HoldersOfSeveral,
  capabilities: readonly ResolvedCapability[] | null,
  countMax: number,
): RankedRow[] {
  const fewest = fewestByFilter(asked);
  if (fewest === null) return [];
  const passes = passing(asked);
  const best = new BestRows(asked.columns, countMax);
  if (capabilities === null) {
    offerByBase(passes, best, fewest, 0);
    return best.sorted();
  }
  const candidates = capabilityCandidates(asked.columns, asked.lists, capabilities);
  const lists = candidates.byRequiredName.flat();
  if (lists.length === 0) return [];
  const holderCount = lists.reduce((sum, { holders }) => sum + holders.count, 0);
  // One list is left as soon as enough have passed: after so many, if the filters hold for as many of its agents as of all.
  const lookedAt = lists.length > 1 ? holderCount : (countMax * asked.lists.byBase.size) / fewest.size;
  if (fewest.size < Math.min(lookedAt, holderCount)) offerOneByOne(asked, passes, best, fewest, candidates);
  else offerHolders(asked, passes, best, several, candidates);
  return best.sorted();
}

/** All that pass, in no particular order. */
export function allRows(
  asked: Asked,
  several: HoldersOfSeveral,
  capabilities: readonly ResolvedCapability[] | null,
): RankedRow[] {
  const { columns } = asked;
  const passes = passing(asked);
  const found: RankedRow[] = [];
  const take = (row: number, capability: number): void => {
    if (!passes(row)) return;
    found.push({ row, steps: matchSteps(capability, columns.matchBase[row] as number) });
  };
  if (capabilities === null) {
    for (const { values, count } of asked.lists.byBase.chunks) {
      for (let index = 0; index < count; index += 1) take(values[index] as number, 0);
    }
    return found;
  }
  const candidates = capabilityCandidates(columns, asked.lists, capabilities);
  const { byRequiredName, divisor } = candidates;
  several.compute(columns, candidates);
  for (let index = 0; index < several.count; index += 1) {
    take(several.rows[index] as number, (several.sums[index] as number) / divisor);
  }
  for (const { holders, similarity } of byRequiredName.flat()) {
    for (const [weight, list] of holders.ofWeight) {
      for (const { values, count } of list.chunks) {
        for (const row of values.subarray(0, count)) {
          if (!several.has(row)) take(row, (similarity * weight) / divisor);
        }
      }
    }
  }
  return found;
}
