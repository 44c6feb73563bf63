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
import { trustEvidence, trustPairs } from './tables.ts';

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
    const applied = applyReview({
      evidence: before.evidence,
      pair: rows.get(trustPairs, agentId, callerAgentId)?.pair ?? null,
      expired: rows
        .selectRange(trustPairs, agentId, effectiveTime(before.evidence, review))
        .flatMap(({ reviewer, pair }) => (reviewer === callerAgentId ? [] : pair)),
      review,
      policy: policyV1,
    });
    for (const reviewer of applied.removedPairs) rows.delete(trustPairs, agentId, reviewer);
    for (const pair of applied.changedPairs) {
      rows.put(trustPairs, { agentId, reviewer: pair.reviewer, expiresAt: pair.expiresAt, pair });
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
