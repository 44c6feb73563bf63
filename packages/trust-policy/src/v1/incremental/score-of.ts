import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { NO_ROOT, NOISE_POINTS } from '../constants.ts';
import { type TrustScore, trustScoreOf } from '../trust-score.ts';
import { splitOf } from '../review.ts';
import { rulesOf } from '../rules.ts';
import type { AgentEvidence } from './evidence.ts';
import { sumsAt } from './sums.ts';

/** The explained score of an agent's evidence, under the policy of that evidence. */
export function scoreOf(evidence: AgentEvidence, policy: TrustPolicy): TrustScore {
  const rules = rulesOf(policy);
  if (evidence.newestAt === null) {
    return trustScoreOf(evidence.prior, { roots: [], weights: [], values: [] }, null, rules);
  }
  const sums = sumsAt(evidence, evidence.epoch, evidence.newestAt, rules);
  const { roots } = evidence;
  return trustScoreOf(
    evidence.prior,
    { roots, weights: sums.weights, values: sums.values },
    { roots, weights: sums.recentWeights, values: sums.recentValues },
    rules,
  );
}

/**
 * The split to record when an agent reviews another: its org_domain if it has one, else the roots whose reviews raised it (their mean is above its
 * prior) in proportion to their uncapped weight, else the shared root `none`. Weights are those at the agent's newest review, because ageing does not
 * change their proportions.
 */
export function rootsOfReviewer(
  reviewer: { orgDomain: string | null; evidence: AgentEvidence | null },
  policy: TrustPolicy,
): Record<string, number> {
  if (reviewer.orgDomain !== null) return splitOf(reviewer.orgDomain, null);
  if (reviewer.evidence === null) return { [NO_ROOT]: 1 };
  const { prior } = reviewer.evidence;
  const raising = scoreOf(reviewer.evidence, policy).all.roots.filter(({ mean }) => 100 * mean > prior + NOISE_POINTS);
  const total = raising.reduce((sum, { weight }) => sum + weight, 0);
  return splitOf(null, Object.fromEntries(raising.map(({ root, weight }) => [root, weight / total])));
}
