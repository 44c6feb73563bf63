import type { Rows } from '@agent-trust/projections';
import { type AgentStandingRow, registrySizes } from './tables.ts';

type Counted = Pick<AgentStandingRow, 'universe' | 'routable' | 'trustScore'>;

const noAgents: readonly number[] = Array.from({ length: 101 }, () => 0);

/** Changes the number of agents at some scores of a universe. */
const change = (rows: Rows, universe: string, changes: readonly [trustScore: number, change: 1 | -1][]): void => {
  const agentsByScore = [...(rows.get(registrySizes, universe)?.agentsByScore ?? noAgents)];
  for (const [trustScore, by] of changes) agentsByScore[trustScore] = (agentsByScore[trustScore] ?? 0) + by;
  rows.put(registrySizes, { universe, agentsByScore });
};

/** Moves an agent in the registry's counts: only routable agents are counted, each in its universe at its score. */
export function countInRegistry(rows: Rows, before: Counted | null, after: Counted): void {
  const from = before?.routable === true ? before : null;
  const to = after.routable ? after : null;
  if (from !== null && to !== null && from.universe === to.universe) {
    if (from.trustScore === to.trustScore) return;
    change(rows, to.universe, [
      [from.trustScore, -1],
      [to.trustScore, 1],
    ]);
    return;
  }
  if (from !== null) change(rows, from.universe, [[from.trustScore, -1]]);
  if (to !== null) change(rows, to.universe, [[to.trustScore, 1]]);
}
