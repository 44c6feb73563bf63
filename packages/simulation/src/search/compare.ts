import { policyV1, policyV2 } from '@agent-trust/trust-policy';
import { scoringByPolicy } from '../scoring/scoring.ts';
import { scoringByPolicyV2 } from '../v2/scoring-v2.ts';
import { numberText } from '../figure-text.ts';
import { markdownTable } from '../markdown-table.ts';
import type { Goal } from './goal.ts';
import type { Budget } from './purse.ts';
import { findBest, type Found, gainOf, type SearchOptions } from './search.ts';
import type { Strategy } from './strategy.ts';

/** The best that the same attacker finds against each policy. */
export type Comparison = {
  goal: Goal;
  budget: Budget;
  v1: Found;
  v2: Found;
  /** What the best strategy against v1 gains under v2. */
  bestOfV1ByV2: number;
};

/**
 * Compares the policies for each budget. What was found for one budget, against either policy, is among the beginnings for those after it, so these
 * should be larger.
 */
export function* compareAll(
  goal: Goal,
  budgets: readonly Budget[],
  options: Pick<SearchOptions, 'seed' | 'tries'>,
): Generator<Comparison> {
  const byV1 = () => scoringByPolicy(policyV1);
  const byV2 = () => scoringByPolicyV2(policyV2);
  const begin: Strategy[] = [];
  for (const budget of budgets) {
    const v1 = findBest(goal, budget, byV1, { ...options, begin });
    const v2 = findBest(goal, budget, byV2, { ...options, begin });
    begin.push(v1.strategy, v2.strategy);
    yield { goal, budget, v1, v2, bestOfV1ByV2: gainOf(goal, budget, byV2, options.seed, v1.strategy) };
  }
}

/** Comparisons of one goal, for people. */
export function comparisonLines(comparisons: readonly Comparison[]): string[] {
  const [first] = comparisons;
  if (first === undefined) return [];
  const { title, gain } = first.goal;
  return [
    `${title}: ${gain}`,
    '',
    ...markdownTable([
      ['organisations', 'agents', 'exchanges', 'v1', 'v2', "v1's best, by v2", 'the best by v1', 'the best by v2'],
      ...comparisons.map((each) => [
        ...[each.budget.organisations, each.budget.agents, each.budget.exchanges].map(String),
        ...[each.v1.gain, each.v2.gain, each.bestOfV1ByV2].map(numberText),
        foundText(each.goal, each.budget, each.v1),
        foundText(each.goal, each.budget, each.v2),
      ]),
    ]),
  ];
}

/** `climb: proxies 4, services of proxy 3; in all 12 services`: what differs from doing nothing. */
const foundText = (goal: Goal, budget: Budget, { strategy, origin, services }: Found): string => {
  const ranges = goal.rangesOf(budget);
  const parts = Object.entries(strategy)
    .filter(([name, value]) => value !== ranges[name]?.least)
    .map(([name, value]) => `${words(name)} ${goal.choices[name]?.[value] ?? value}`);
  const done = parts.length === 0 ? 'nothing' : parts.join(', ');
  return `${origin}: ${done}${services > 0 ? `; in all ${services} services` : ''}`;
};

const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Comparisons, for programs. */
export function comparisonJson(
  comparisons: readonly Comparison[],
  { seed, tries }: Pick<SearchOptions, 'seed' | 'tries'>,
): object {
  const found = ({ strategy, origin, searched, gain, spent, services }: Found): object => ({
    gain,
    searched,
    origin,
    spent,
    services,
    strategy,
  });
  return {
    seed,
    tries,
    searches: comparisons.map(({ goal, budget, v1, v2, bestOfV1ByV2 }) => ({
      goal: goal.name,
      gain: goal.gain,
      budget,
      v1: found(v1),
      v2: found(v2),
      best_of_v1_by_v2: bestOfV1ByV2,
    })),
  };
}
