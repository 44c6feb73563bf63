import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { NO_ROOT, NOISE_POINTS } from '../constants.ts';
import { type TrustScore, trustScoreOf } from '../trust-score.ts';
import { splitOf } from '../review.ts';
import { rulesOf } from '../rules.ts';
import type { AgentEvidence } from './evidence.ts';
import { sumsAt } from './sums.ts';

/** The score that an agent's evidence comes to under the policy that it was made by, with its explanation. */
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
 * The split to freeze into the event when an agent reviews another: its org_domain when it has one, else the roots whose
 * reviews raised it (their mean lies above its prior), in proportion to their uncapped weight, else the shared root `none`.
 *
 * The weights are those at the agent's own newest review: ageing since then changes them all alike and so no proportion.
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
