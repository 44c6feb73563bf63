import { normaliseOrgName } from '@agent-trust/domain';
import type { Numbered } from './numbered.ts';

/** The filters of a question beside its capabilities; null is no filter. An agent must satisfy every one. */
export type MatchFilters = {
  /** Any of these is enough. */
  settlementRail: readonly string[] | null;
  /** Exact but for case. */
  orgName: string | null;
  messageProtocol: string | null;
  /** Only agents that answer calls; false is no filter. */
  live: boolean;
};

/** What an agent can be filtered by. Kinds are kept apart: an organisation may be called as a rail is. */
type Traits = {
  settlementRail: readonly string[];
  orgNameKey: string | null;
  messageProtocol: string;
  isLive: boolean;
};

const rail = (name: string): string => `rail ${name}`;
const organisation = (nameKey: string): string => `organisation ${nameKey}`;
const protocol = (name: string): string => `protocol ${name}`;
const live = 'live';

/** The traits of an agent as numbers. */
export function traitsOf(names: Numbered, agent: Traits): number[] {
  return [
    ...new Set(agent.settlementRail.map(rail)),
    ...(agent.orgNameKey === null ? [] : [organisation(agent.orgNameKey)]),
    protocol(agent.messageProtocol),
    ...(agent.isLive ? [live] : []),
  ].map((trait) => names.numberOf(trait));
}

/** For each filter the traits of which an agent must have one; those that no agent has ever had are left out. */
export function wantedTraits(names: Numbered, filters: MatchFilters): number[][] {
  const wanted: (readonly string[])[] = [];
  if (filters.settlementRail !== null) wanted.push(filters.settlementRail.map(rail));
  if (filters.orgName !== null) wanted.push([organisation(normaliseOrgName(filters.orgName))]);
  if (filters.messageProtocol !== null) wanted.push([protocol(filters.messageProtocol)]);
  if (filters.live) wanted.push([live]);
  return wanted.map((traits) => traits.flatMap((trait) => names.find(trait) ?? []));
}

/** Whether an agent with these traits has one of each filter's. */
export function satisfies(traits: readonly number[], wanted: readonly (readonly number[])[]): boolean {
  for (const anyOf of wanted) if (!hasAny(traits, anyOf)) return false;
  return true;
}

const hasAny = (traits: readonly number[], anyOf: readonly number[]): boolean => {
  for (const trait of traits) if (anyOf.includes(trait)) return true;
  return false;
};
