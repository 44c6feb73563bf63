import { normaliseOrgName } from '@agent-trust/domain';
import type { AgentColumns } from './agent-columns.ts';

/** The filters of a question beside its capabilities; null is no filter. An agent must satisfy every one. */
export type MatchFilters = {
  /** Any of these is enough. */
  settlementRail: readonly string[] | null;
  /** Exact but for case. */
  orgName: string | null;
  messageProtocol: string | null;
};

/** Whether the agent of a row passes. */
export type AgentFilter = (row: number) => boolean;

/** Whether an agent's rails have any of those asked for. */
const accepts = (accepted: readonly number[], rails: readonly number[]): boolean => {
  for (const rail of accepted) if (rails.includes(rail)) return true;
  return false;
};

/** Filters as a test of rows; null when nobody can pass, because no agent has such a rail, organisation or protocol. */
export const agentFilter = (columns: AgentColumns, filters: MatchFilters): AgentFilter | null => {
  const { names } = columns;
  const tests: AgentFilter[] = [];
  if (filters.settlementRail !== null) {
    const rails = filters.settlementRail.flatMap((rail) => names.find(rail) ?? []);
    if (rails.length === 0) return null;
    tests.push((row) => accepts(columns.settlementRail[row] as readonly number[], rails));
  }
  if (filters.orgName !== null) {
    const orgName = names.find(normaliseOrgName(filters.orgName));
    if (orgName === undefined) return null;
    tests.push((row) => columns.orgName[row] === orgName);
  }
  if (filters.messageProtocol !== null) {
    const messageProtocol = names.find(filters.messageProtocol);
    if (messageProtocol === undefined) return null;
    tests.push((row) => columns.messageProtocol[row] === messageProtocol);
  }
  const [only] = tests;
  if (only === undefined) return () => true;
  return tests.length === 1 ? only : (row) => tests.every((passes) => passes(row));
};
