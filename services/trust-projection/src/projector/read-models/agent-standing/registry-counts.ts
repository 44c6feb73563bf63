import type { Rows } from '@agent-trust/projections';
import { type AgentStandingRow, registrySizes } from './tables.ts';

type Counted = Pick<AgentStandingRow, 'universe' | 'routable' | 'trustScore'>;

const noAgents: readonly number[] = Array.from({ length: 101 }, () => 0);

const addAt = (rows: Rows, { universe, trustScore }: Counted, change: 1 | -1): void => {
  const agentsByScore = [...(rows.get(registrySizes, universe)?.agentsByScore ?? noAgents)];
  agentsByScore[trustScore] = (agentsByScore[trustScore] ?? 0) + change;
  rows.put(registrySizes, { universe, agentsByScore });
};

/** Moves an agent in the registry's counts: only routable agents are counted, each in its universe at its score. */
export function countInRegistry(rows: Rows, before: Counted | null, after: Counted): void {
  const from = before?.routable === true ? before : null;
  const to = after.routable ? after : null;
  if (from !== null && to !== null && from.universe === to.universe && from.trustScore === to.trustScore) return;
  if (from !== null) addAt(rows, from, -1);
  if (to !== null) addAt(rows, to, 1);
}
