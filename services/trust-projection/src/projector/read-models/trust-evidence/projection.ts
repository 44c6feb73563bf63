import type { Rows } from '@agent-trust/projections';
import {
  applyReview,
  effectiveTime,
  initialEvidence,
  priorOf,
  type RecordedReview,
  type Review,
  scoreOf,
  TrustLedger,
  type TrustPolicy,
} from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { isCarriedOn, wantInForce } from '../trust-policy/projection.ts';
import { currentPolicy, formerPolicies, type PolicyPlan } from '../trust-policy/policy-plan.ts';
import { trustPolicyActivations } from '../trust-policy/projection.ts';
import { type CountedRating, countedRatings, voidedBy, voidedPositions } from '../voided-reviews/projection.ts';
import {
  currentStore,
  evidenceOf,
  evidenceSteps,
  type EvidenceStore,
  formerStore,
  formerTrustEvidence,
  formerTrustPairs,
  neverExpires,
  trustEvidence,
  trustPairs,
} from './tables.ts';

/**
 * Carries each agent's evidence and score forward, review by review: by the current policy from the first event on, and by each former one
 * until it was in force for the last time.
 */
export function trustEvidenceProjection(plan: PolicyPlan): RegistryProjection {
  const current = currentPolicy(plan);
  const former = formerPolicies(plan).map((each) => ({ ...each, store: formerStore(each.policy.name) }));
  const stores = [currentStore, ...former.map(({ store }) => store)];
  const storesInUse = (rows: Pick<Rows, 'get'>): EvidenceStore[] => [
    currentStore,
    ...former.filter((each) => isCarriedOn(each, rows)).map(({ store }) => store),
  ];
  return {
    name: 'trust-evidence',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [trustEvidence, trustPairs, formerTrustEvidence, formerTrustPairs, evidenceSteps],
    readsFrom: [trustPolicyActivations],
    reads: (event, wanted) => {
      if (event.type === 'AgentRegistered') wantInForce(plan, wanted);
      if (event.type === 'ReviewsVoided') {
        wantInForce(plan, wanted);
        for (const { wantEvidence } of stores) wantEvidence(wanted, event.data.agentId);
        return;
      }
      const reviewed = countingReview(event);
      if (reviewed === null) return;
      wantInForce(plan, wanted);
      const { receiverAgentId, callerAgentId } = reviewed.data;
      for (const { want } of stores) want(wanted, receiverAgentId, callerAgentId);
    },
    // A review counts as made no earlier than the agent's newest one, so what has expired by then depends on the evidence. That is so
    // under every policy alike, and an activation is the last event of its batch: what is in force before the batch is so in all of it.
    readsThen: (event, rows, wanted) => {
      if (event.type === 'ReviewsVoided') {
        for (const store of storesInUse(rows)) store.wantSteps(wanted, store.evidence(rows, event.data.agentId));
        return;
      }
      const reviewed = countingReview(event);
      if (reviewed === null) return;
      const { receiverAgentId } = reviewed.data;
      const present = currentStore.evidence(rows, receiverAgentId);
      const upTo = Math.max(present?.newestAt ?? 0, Date.parse(reviewed.data.reviewedAt));
      for (const store of storesInUse(rows)) {
        store.wantSteps(wanted, store.evidence(rows, receiverAgentId));
        store.wantPairs(wanted, receiverAgentId, upTo);
      }
    },
    apply: (event, rows) => {
      if (!isScored(event)) return;
      carryOn(event, rows, current, currentStore);
      for (const each of former) if (isCarriedOn(each, rows)) carryOn(event, rows, each.policy, each.store);
    },
  };
}

const isScored = (event: ProjectedRegistryEvent): boolean =>
  event.type === 'AgentRegistered' || event.type === 'ReviewsVoided' || countingReview(event) !== null;

const carryOn = (event: ProjectedRegistryEvent, rows: Rows, policy: TrustPolicy, store: EvidenceStore): void => {
  if (event.type === 'AgentRegistered') {
    const evidence = initialEvidence(priorOf(policy, event.data));
    const { score, unrounded } = scoreOf(evidence, policy);
    store.putEvidence(rows, null, {
      agentId: event.data.agentId,
      evidence,
      trustPolicy: policy.name,
      trustScore: score,
      unrounded,
      previousScore: null,
      scoredPosition: event.position,
    });
    return;
  }
  if (event.type === 'ReviewsVoided') {
    if (voidedBy(event, rows).length > 0) countWithoutVoid(event, rows, policy, store);
    return;
  }
  const reviewed = countingReview(event);
  if (reviewed !== null) countReview(reviewed, rows, policy, store);
};

const countReview = (reviewed: Reviewed, rows: Rows, policy: TrustPolicy, store: EvidenceStore): void => {
  const { receiverAgentId: agentId, callerAgentId } = reviewed.data;
  const before = store.evidence(rows, agentId);
  if (before === undefined) throw new Error(`agent ${agentId} was reviewed but never registered`);
  const evidence = evidenceOf(rows, before);
  const review = policyReview(reviewed);
  const own = store.pair(rows, agentId, callerAgentId);
  const expired = store
    .pairs(rows, agentId, effectiveTime(evidence, review))
    .filter(({ reviewer }) => reviewer !== callerAgentId);
  const applied = applyReview({
    evidence,
    pair: own?.pair ?? null,
    expired: expired.flatMap(({ pair }) => pair ?? []),
    review,
    policy,
  });
  const reviewsBefore = new Map(expired.map(({ reviewer, reviews }) => [reviewer, reviews]));
  const reviewsOf = (reviewer: string): number =>
    reviewer === callerAgentId ? (own?.reviews ?? 0) + 1 : (reviewsBefore.get(reviewer) ?? 0);
  for (const reviewer of applied.removedPairs) {
    store.putPair(rows, { agentId, reviewer, expiresAt: neverExpires, pair: null, reviews: reviewsOf(reviewer) });
  }
  for (const pair of applied.changedPairs) {
    const { reviewer, expiresAt } = pair;
    store.putPair(rows, { agentId, reviewer, expiresAt, pair, reviews: reviewsOf(reviewer) });
  }
  store.putEvidence(
    rows,
    { row: before, evidence, changedRoots: applied.changedRoots },
    {
      agentId,
      evidence: applied.evidence,
      trustPolicy: policy.name,
      trustScore: applied.score.score,
      unrounded: applied.score.unrounded,
      previousScore: before.trustScore,
      scoredPosition: reviewed.position,
    },
  );
};

/** Counts the agent's reviews anew. This takes a time that grows with their number, which nothing else does. */
const countWithoutVoid = (event: Voided, rows: Rows, policy: TrustPolicy, store: EvidenceStore): void => {
  const { agentId } = event.data;
  const before = store.evidence(rows, agentId);
  if (before === undefined) throw new Error(`reviews of agent ${agentId} are voided, but it was never registered`);
  const ratings = countedRatings(rows, agentId);
  const ledger = new TrustLedger(policy);
  ledger.setPrior(agentId, evidenceOf(rows, before).prior);
  ledger.recount(agentId, recordedReviews(ratings, voidedPositions(rows, agentId)));
  const pairs = new Map(ledger.pairs(agentId).map((pair) => [pair.reviewer, pair]));
  const reviews = new Map<string, number>();
  for (const { callerAgentId } of ratings) reviews.set(callerAgentId, (reviews.get(callerAgentId) ?? 0) + 1);
  for (const [reviewer, count] of reviews) {
    const pair = pairs.get(reviewer) ?? null;
    store.putPair(rows, { agentId, reviewer, expiresAt: pair?.expiresAt ?? neverExpires, pair, reviews: count });
  }
  const { score, unrounded } = ledger.score(agentId);
  store.putEvidence(rows, null, {
    agentId,
    evidence: ledger.evidence(agentId),
    trustPolicy: policy.name,
    trustScore: score,
    unrounded,
    previousScore: before.trustScore,
    scoredPosition: event.position,
  });
};

const recordedReviews = (ratings: readonly CountedRating[], voided: ReadonlySet<bigint>): RecordedReview[] =>
  ratings.map(({ position, callerAgentId: reviewer, countedAt, reviewerTrust, reviewerRoots, success, score }) => ({
    review: { reviewedAt: countedAt, reviewer, roots: reviewerRoots, trust: reviewerTrust, success, score },
    isVoid: voided.has(position),
  }));

type Voided = Extract<ProjectedRegistryEvent, { type: 'ReviewsVoided' }>;
export type Reviewed = Extract<ProjectedRegistryEvent, { type: 'ExchangeReviewed' }>;

/** A score earned in a sandbox could be farmed in private and then published, so only reviews of production count. */
export function countingReview(event: ProjectedRegistryEvent): Reviewed | null {
  return event.type === 'ExchangeReviewed' && event.data.universe.kind === 'production' ? event : null;
}

/** A review as trust policies take it, with what its event has frozen of the reviewer. */
export function policyReview({ data }: Reviewed): Review {
  return {
    reviewedAt: Date.parse(data.reviewedAt),
    reviewer: data.callerAgentId,
    roots: data.reviewer.roots,
    trust: data.reviewer.trustScore,
    success: data.success,
    score: data.score,
  };
}
