import type { ResolvedCapability } from '../resolve-capabilities.ts';
import type { AgentColumns } from './agent-columns.ts';
import type { SortedNumbers } from './sorted-numbers.ts';
import type { UniverseLists } from './universe-lists.ts';

const capabilityWeightMax = 3;

/** The holders of a capability that may meet a required name. */
export type Candidate = { holders: SortedNumbers; similarity: number };

/** For each required name the lists of those who can meet it; none for a name that nobody can. */
export type CapabilityCandidates = {
  byRequiredName: readonly (readonly Candidate[])[];
  /** What a sum of similarity·weight over the required names is divided by to make the mean of similarity·weight/3. */
  divisor: number;
};

export const capabilityCandidates = (
  columns: AgentColumns,
  lists: UniverseLists,
  resolved: readonly ResolvedCapability[],
): CapabilityCandidates => {
  const byName = new Map<string, Candidate[]>();
  for (const { required, canonical, similarity } of resolved) {
    let candidates = byName.get(required);
    if (candidates === undefined) byName.set(required, (candidates = []));
    const name = columns.names.find(canonical);
    const holders = name === undefined ? undefined : lists.holdersOf(name);
    if (holders !== undefined && similarity > 0) candidates.push({ holders, similarity });
  }
  return { byRequiredName: [...byName.values()], divisor: capabilityWeightMax * byName.size };
};
