import type { ExplainedTrust } from '@agent-trust/contracts';
import {
  type Confidence,
  confidenceOfScore,
  contributionsOf,
  explainAgent,
  reviewParts,
  reviewPartsV2,
  rulesOfV2,
  scoreOf,
  viewOf,
  withExactPoints,
} from '@agent-trust/trust-policy';
import { type ExplainedRating, findExplainedRatings } from '../projector/read-models/ratings/queries.ts';
import { type AgentEvidenceIn, evidenceAt, reviewCountOf } from '../projector/read-models/trust-evidence/queries.ts';
import { subjectOf } from '../projector/read-models/trust-evidence/v2/organisation-tables.ts';
import { findRecordOfAgentAt } from '../projector/read-models/trust-evidence/v2/queries.ts';
import type { PolicyNamed } from '../projector/read-models/trust-policy/queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { pick } from '../shared/pick.ts';
import type { Moment } from './past/moment.ts';
import { shownContribution } from './shown-contribution.ts';

type Score = Pick<ExplainedTrust, 'trustScore' | 'unrounded' | 'basis' | 'prior' | 'strength' | 'contributions'> & {
  confidence: Confidence;
};

/** The score of a registered agent at a position, with its parts, and the evidence behind it. */
export async function explainScore(
  database: ReadModelDatabase,
  policyNamed: PolicyNamed,
  { agentId, position }: { agentId: string; position: bigint },
): Promise<{ found: AgentEvidenceIn; score: Score }> {
  const found = await evidenceAt(database, policyNamed, agentId, position);
  const organisation =
    found.formula === 'v1'
      ? null
      : await findRecordOfAgentAt(database, { agentId, position, trustPolicy: found.policy.name });
  return { found, score: scoreIn(found, organisation) };
}

/** What the score of a registered agent was made of at a moment, with a page of its reviews and how many there are on all pages. */
export async function explainTrust(
  database: ReadModelDatabase,
  policyNamed: PolicyNamed,
  asked: { agentId: string; moment: Moment; limit: number; offset: number },
): Promise<{ trust: Omit<ExplainedTrust, 'flags' | 'liveness'>; reviewsTotal: number }> {
  const { agentId, moment, limit, offset } = asked;
  const { position } = moment;
  const { found, score } = await explainScore(database, policyNamed, { agentId, position });
  const { name: trustPolicy } = found.policy;
  const count = reviewCountOf(found);
  const entriesOf = found.formula === 'v1' ? null : subjectOf(trustPolicy, 'agent', agentId);
  const ratings =
    count === 0 ? [] : await findExplainedRatings(database, { agentId, position, count, limit, offset, entriesOf });
  const partOf = partsIn(found, score.basis);
  return {
    trust: {
      agentId,
      trustPolicy,
      asOf: { position: String(position), time: moment.time.toISOString() },
      ...score,
      reviews: ratings.map((rating) => explainedReview(rating, partOf)),
    },
    reviewsTotal: count,
  };
}

/** @param organisation the agent's, with its record; formula v1 does not ask for it */
const scoreIn = (found: AgentEvidenceIn, organisation: { id: string; record: number } | null): Score => {
  const { strength } = found.policy.constants;
  if (found.formula === 'v1') {
    const score = scoreOf(found.evidence, found.policy);
    const { trustScore, unrounded } = { trustScore: score.score, unrounded: score.unrounded };
    return {
      trustScore,
      unrounded,
      ...pick(score, 'basis', 'prior', 'strength'),
      contributions: withExactPoints(contributionsOf(score), unrounded),
      confidence: confidenceOfScore(score),
    };
  }
  const rules = rulesOfV2(found.policy);
  const { prior: base } = found.evidence.sums;
  const explained = explainAgent(viewOf(found.evidence, rules), { base, organisation }, rules);
  return {
    trustScore: explained.score,
    prior: base,
    strength,
    ...pick(explained, 'unrounded', 'basis', 'confidence'),
    contributions: explained.contributions.map(shownContribution),
  };
};

const partsIn = (found: AgentEvidenceIn, basis: Score['basis']): ReturnType<typeof reviewParts> =>
  found.formula === 'v1'
    ? reviewParts(found.evidence, basis, found.policy)
    : reviewPartsV2(found.evidence, basis, rulesOfV2(found.policy));

const explainedReview = (
  rating: ExplainedRating,
  partOf: ReturnType<typeof reviewParts>,
): ExplainedTrust['reviews'][number] => {
  const part = partOf({
    sequence: Number(rating.place),
    at: rating.countedAt,
    newer: rating.newer,
    trust: rating.reviewerTrust,
    success: rating.success,
    score: rating.score,
    roots: rating.reviewerRoots,
  });
  return {
    ...pick(rating, 'eventId', 'transactionId', 'success', 'score'),
    reviewerAgentId: rating.callerAgentId,
    reviewedAt: rating.reviewedAt.toISOString(),
    rootWeights: Object.fromEntries(part.roots),
    value: part.value,
    ...(rating.isVoid
      ? ({ weight: 0, counted: false, reason: 'voided' } as const)
      : pick(part, 'weight', 'counted', 'reason')),
  };
};
