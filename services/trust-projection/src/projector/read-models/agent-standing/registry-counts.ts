import type { Rows } from '@agent-trust/projections';
import { type AgentStandingRow, registrySizes } from './tables.ts';

type Counted = Pick<AgentStandingRow, 'universe' | 'routable' | 'trustScore'>;

/** Where an agent was counted before an event, and where it is after it. */
export type Move = { before: Counted | null; after: Counted };

const noAgents: readonly number[] = Array.from({ length: 101 }, () => 0);

/** Moves agents in the registry's counts: only routable agents are counted, each in its universe at its score. */
export function countInRegistry(rows: Rows, moves: readonly Move[]): void {
  const counts = new Map<string, number[]>();
  const count = (universe: string, trustScore: number, change: 1 | -1): void => {
    let agentsByScore = counts.get(universe);
    if (agentsByScore === undefined) {
      agentsByScore = [...(rows.get(registrySizes, universe)?.agentsByScore ?? noAgents)];
      counts.set(universe, agentsByScore);
    }
    agentsByScore[trustScore] = (agentsByScore[trustScore] ?? 0) + change;
  };
  for (const { before, after } of moves) {
    const from = before?.routable === true ? before : null;
    const to = after.routable ? after : null;
    if (from?.universe === to?.universe && from?.trustScore === to?.trustScore) continue;
    if (from !== null) count(from.universe, from.trustScore, -1);
    if (to !== null) count(to.universe, to.trustScore, 1);
  }
  for (const [universe, agentsByScore] of counts) rows.put(registrySizes, { universe, agentsByScore });
}
