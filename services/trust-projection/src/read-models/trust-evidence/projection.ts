import { anyTable } from '@agent-trust/projections';
import {
  applyReview,
  effectiveTime,
  initialEvidence,
  policyV1,
  priorOf,
  type Review,
  scoreOf,
} from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { neverExpires, trustEvidence, trustPairs } from './tables.ts';

type Reviewed = Extract<ProjectedRegistryEvent, { type: 'ExchangeReviewed' }>;

/** A score earned in a sandbox could be farmed in private and then published, so only reviews of production count. */
const countingReview = (event: ProjectedRegistryEvent): Reviewed | null =>
  event.type === 'ExchangeReviewed' && event.data.universe.kind === 'production' ? event : null;

const policyReview = ({ data }: Reviewed): Review => ({
  reviewedAt: Date.parse(data.reviewedAt),
  reviewer: data.callerAgentId,
  roots: data.reviewer.roots,
  trust: data.reviewer.trustScore,
  success: data.success,
  score: data.score,
});

/** Carries each agent's evidence and score forward, review by review, by the trust policy. */
export const trustEvidenceProjection: RegistryProjection = {
  name: 'trust-evidence',
  tables: [anyTable(trustEvidence), anyTable(trustPairs)],
  reads: (event, wanted) => {
    const reviewed = countingReview(event);
    if (reviewed === null) return;
    const { receiverAgentId, callerAgentId } = reviewed.data;
    wanted.row(trustEvidence, receiverAgentId);
    wanted.row(trustPairs, receiverAgentId, callerAgentId);
  },
  // A review counts as made no earlier than the agent's newest one, so what has expired by then depends on the evidence.
  readsThen: (event, rows, wanted) => {
    const reviewed = countingReview(event);
    if (reviewed === null) return;
    const { receiverAgentId } = reviewed.data;
    const newestAt = rows.get(trustEvidence, receiverAgentId)?.evidence.newestAt ?? 0;
    wanted.range(trustPairs, receiverAgentId, Math.max(newestAt, Date.parse(reviewed.data.reviewedAt)));
  },
  apply: (event, rows) => {
    if (event.type === 'AgentRegistered') {
      const { agentId } = event.data;
      const evidence = initialEvidence(priorOf(policyV1, event.data));
      const { score, unrounded } = scoreOf(evidence, policyV1);
      rows.put(trustEvidence, {
        agentId,
        evidence,
        trustPolicy: policyV1.name,
        trustScore: score,
        unrounded,
        previousScore: null,
        scoredPosition: event.position,
      });
      return;
    }
    const reviewed = countingReview(event);
    if (reviewed === null) return;
    const { receiverAgentId: agentId, callerAgentId } = reviewed.data;
    const before = rows.get(trustEvidence, agentId);
    if (before === undefined) throw new Error(`agent ${agentId} was reviewed but never registered`);
    const review = policyReview(reviewed);
    const own = rows.get(trustPairs, agentId, callerAgentId);
    const expired = rows
      .selectRange(trustPairs, agentId, effectiveTime(before.evidence, review))
      .filter(({ reviewer }) => reviewer !== callerAgentId);
    const applied = applyReview({
      evidence: before.evidence,
      pair: own?.pair ?? null,
      expired: expired.flatMap(({ pair }) => pair ?? []),
      review,
      policy: policyV1,
    });
    const reviewsBefore = new Map(expired.map(({ reviewer, reviews }) => [reviewer, reviews]));
    const reviewsOf = (reviewer: string): number =>
      reviewer === callerAgentId ? (own?.reviews ?? 0) + 1 : (reviewsBefore.get(reviewer) ?? 0);
    for (const reviewer of applied.removedPairs) {
      rows.put(trustPairs, { agentId, reviewer, expiresAt: neverExpires, pair: null, reviews: reviewsOf(reviewer) });
    }
    for (const pair of applied.changedPairs) {
      const { reviewer, expiresAt } = pair;
      rows.put(trustPairs, { agentId, reviewer, expiresAt, pair, reviews: reviewsOf(reviewer) });
    }
    rows.put(trustEvidence, {
      agentId,
      evidence: applied.evidence,
      trustPolicy: policyV1.name,
      trustScore: applied.score.score,
      unrounded: applied.score.unrounded,
      previousScore: before.trustScore,
      scoredPosition: event.position,
    });
  },
};
