import type { ResolvedCapability } from '../resolve-capabilities.ts';
import type { AgentColumns } from './agent-columns.ts';
import type { Holders, UniverseLists } from './universe-lists.ts';

const capabilityWeightMax = 3;

/** The holders of a capability that may meet a required name. */
export type Candidate = { name: number; holders: Holders; similarity: number };

/** For each required name the lists of those who can meet it; none for a name that nobody can. */
export type CapabilityCandidates = {
  byRequiredName: readonly (readonly Candidate[])[];
  /** What a sum of similarity·weight over the required names is divided by to make the mean of similarity·weight/3. */
  divisor: number;
};

export function capabilityCandidates(
  columns: AgentColumns,
  lists: UniverseLists,
  resolved: readonly ResolvedCapability[],
): CapabilityCandidates {
  const byName = new Map<string, Candidate[]>();
  for (const { required, canonical, similarity } of resolved) {
    let candidates = byName.get(required);
    if (candidates === undefined) byName.set(required, (candidates = []));
    const name = columns.names.find(canonical);
    if (name === undefined || similarity <= 0) continue;
    const holders = lists.holdersOf(name);
    if (holders !== undefined) candidates.push({ name, holders, similarity });
  }
  return { byRequiredName: [...byName.values()], divisor: capabilityWeightMax * byName.size };
}

/** What one agent brings to required names: the sum over them of similarity·weight, for each the best that it has. */
export function strengthOf(
  capabilities: readonly number[],
  { byRequiredName }: Pick<CapabilityCandidates, 'byRequiredName'>,
): number {
  let sum = 0;
  for (const candidates of byRequiredName) {
    let best = 0;
    for (const { name, similarity } of candidates) {
      for (const packed of capabilities) {
        if (packed >>> 2 === name) best = Math.max(best, similarity * (packed & 3));
      }
    }
    sum += best;
  }
  return sum;
}
