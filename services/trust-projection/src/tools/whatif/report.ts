import type { TrustPolicy } from '@agent-trust/trust-policy';
import type { PolicyChange } from './policy-changes.ts';
import { changeOf, type PolicyComparison, thresholds } from './compare-policies.ts';
import type { ExplainedMove } from './explain-moves.ts';

export type WhatIfReport = {
  from: TrustPolicy;
  to: TrustPolicy;
  changes: readonly PolicyChange[];
  comparison: PolicyComparison;
  /** The moves that are shown. */
  shown: readonly ExplainedMove[];
};

/** How many agents rise to a threshold or above it, and how many fall below it. */
export function crossingCounts({
  moves,
}: Pick<PolicyComparison, 'moves'>): { threshold: number; rise: number; fall: number }[] {
  return thresholds.map((threshold) => {
    const crossing = moves.flatMap(({ crosses }) => crosses.filter((crossed) => crossed.threshold === threshold));
    const rise = crossing.filter(({ direction }) => direction === 'rises').length;
    return { threshold, rise, fall: crossing.length - rise };
  });
}

/** Numbers for programs, with the noise of floating-point sums cut off. */
const points = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The report as one JSON document, in snake_case as all that leaves the registry. */
export function reportJson({ from, to, changes, comparison, shown }: WhatIfReport): object {
  return {
    policy: to.name,
    live_policy: from.name,
    position: comparison.position === null ? null : String(comparison.position),
    events: comparison.events,
    agents: comparison.agents,
    reviews: comparison.reviews,
    changes: changes.map(({ constant, before, after }) => ({ constant, before, after })),
    moved: comparison.moves.length,
    up: comparison.moves.filter((move) => changeOf(move) > 0).length,
    down: comparison.moves.filter((move) => changeOf(move) < 0).length,
    thresholds: crossingCounts(comparison),
    moves: shown.map((move) => ({
      agent_id: move.agentId,
      universe: move.universe,
      before: sideJson(move.before),
      after: sideJson(move.after),
      change: changeOf(move),
      crosses: move.crosses,
      effects: move.effects.map((effect) => ({ ...effect, points: points(effect.points) })),
      parts: move.parts.map((part) => ({ ...part, before: points(part.before), after: points(part.after) })),
    })),
  };
}

const sideJson = ({ score, unrounded, basis }: ExplainedMove['before']): object => ({
  trust_score: score,
  unrounded: points(unrounded),
  basis,
});
