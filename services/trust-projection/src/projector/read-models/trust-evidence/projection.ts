import type { LastRows, Rows } from '@agent-trust/projections';
import {
  confidenceOfScore,
  applyReview,
  effectiveTime,
  initialEvidence,
  priorOf,
  type RecordedReview,
  scoreOf,
  TrustLedger,
  type TrustPolicy,
} from '@agent-trust/trust-policy';
import { agents } from '../agent-directory/table.ts';
import { organisationMembers } from '../organisation-directory/projection.ts';
import { ratings } from '../ratings/projection.ts';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { isCarriedOn, trustPolicyActivations, wantInForce } from '../trust-policy/projection.ts';
import { currentPolicy, type FormerPolicy, formerPolicies, type PolicyPlan } from '../trust-policy/policy-plan.ts';
import {
  type CountedRating,
  countedRatings,
  voidedBy,
  voidedPositions,
  voidedReviews,
} from '../voided-reviews/projection.ts';
import { packEvidence } from './pack-evidence.ts';
import { countingReview, policyReview, type Reviewed } from './reviewed.ts';
import { changeText } from './steps.ts';
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
import { foldV2, type FoldV2, type Rescored } from './v2/fold.ts';
import { organisationTables } from './v2/organisation-tables.ts';

/** One policy of a plan: how events change its scores, and where these are. */
type Carried = {
  /** Null for the current policy, which is carried on for ever. */
  former: FormerPolicy | null;
  store: EvidenceStore;
  name: string;
} & ({ formula: 'v1'; policy: TrustPolicy } | { formula: 'v2'; fold: FoldV2 });

const carried = (policy: PolicyPlan[number], store: EvidenceStore, former: FormerPolicy | null): Carried =>
  policy.formula === 'v1'
    ? { former, store, name: policy.name, formula: 'v1', policy }
    : { former, store, name: policy.name, formula: 'v2', fold: foldV2(policy, store) };

/** What a present event has changed of scores that it does not name, under one policy; for projections later in the list. */
export type RescoredBy = (event: ProjectedRegistryEvent) => Rescored;

/**
 * Carries each agent's evidence and score forward, review by review: by the current policy from the first event on, and by each former one
 * until it was in force for the last time.
 */
export function trustEvidenceProjection(plan: PolicyPlan): RegistryProjection & {
  /** By the name of each policy of formula v2: under v1 an event changes no scores besides. */
  rescoredBy: ReadonlyMap<string, RescoredBy>;
} {
  const all = [
    carried(currentPolicy(plan), currentStore, null),
    ...formerPolicies(plan).map((each) => carried(each.policy, formerStore(each.policy.name), each)),
  ];
  const ofV2 = all.flatMap((each) => (each.formula === 'v2' ? [each] : []));
  const isInUse = ({ former }: Carried, rows: Pick<Rows, 'get'>): boolean =>
    former === null || isCarriedOn(former, rows);
  const stores = all.map(({ store }) => store);
  const storesInUse = (rows: Pick<Rows, 'get'>): EvidenceStore[] =>
    all.filter((each) => isInUse(each, rows)).map(({ store }) => store);
  return {
    name: 'trust-evidence',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [trustEvidence, trustPairs, formerTrustEvidence, formerTrustPairs, evidenceSteps, ...organisationTables],
    readsFrom: [
      trustPolicyActivations,
      ...(ofV2.length === 0 ? [] : [agents, organisationMembers, ratings, voidedReviews]),
    ],
    reads: (event, wanted) => {
      for (const { fold } of ofV2) fold.reads(event, wanted);
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
      for (const { fold } of ofV2) fold.readsThen(event, rows, wanted);
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
    ...(ofV2.length === 0 ? {} : { readsLast: readsLast(plan, ofV2, isInUse) }),
    apply: (event, rows) => {
      for (const each of all) {
        if (each.formula === 'v2') {
          if (isFollowed(event) && isInUse(each, rows)) each.fold.apply(event, rows);
        } else if (isScored(event) && isInUse(each, rows)) carryOn(event, rows, each.policy, each.store);
      }
    },
    rescoredBy: new Map(ofV2.map(({ name, fold }) => [name, fold.rescoredBy])),
  };
}

const readsLast =
  (
    plan: PolicyPlan,
    folds: readonly Extract<Carried, { formula: 'v2' }>[],
    isInUse: (each: Carried, rows: Pick<Rows, 'get'>) => boolean,
  ) =>
  (event: ProjectedRegistryEvent, rows: LastRows): void => {
    if (!isFollowed(event)) return;
    wantInForce(plan, rows);
    for (const each of folds) if (isInUse(each, rows)) each.fold.readsLast(event, rows);
  };

/** Whether formula v2 reads an event. */
const isFollowed = (event: ProjectedRegistryEvent): boolean =>
  isScored(event) || event.type === 'AgentAdopted' || event.type === 'OrgDomainReserved';

const isScored = (event: ProjectedRegistryEvent): boolean =>
  event.type === 'AgentRegistered' || event.type === 'ReviewsVoided' || countingReview(event) !== null;

const carryOn = (event: ProjectedRegistryEvent, rows: Rows, policy: TrustPolicy, store: EvidenceStore): void => {
  if (event.type === 'AgentRegistered') {
    const evidence = initialEvidence(priorOf(policy, event.data));
    const scored = scoreOf(evidence, policy);
    const { score, unrounded } = scored;
    store.putEvidence(
      rows,
      null,
      {
        agentId: event.data.agentId,
        evidence,
        trustPolicy: policy.name,
        trustScore: score,
        unrounded,
        previousScore: null,
        scoredPosition: event.position,
        line: null,
        confidence: confidenceOfScore(scored),
      },
      () => packEvidence(evidence),
    );
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
    before,
    {
      agentId,
      evidence: applied.evidence,
      trustPolicy: policy.name,
      trustScore: applied.score.score,
      unrounded: applied.score.unrounded,
      previousScore: before.trustScore,
      scoredPosition: reviewed.position,
      line: null,
      confidence: applied.confidence,
    },
    (isWhole) =>
      isWhole ? packEvidence(applied.evidence) : changeText(evidence, applied.evidence, applied.changedRoots),
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
  const scored = ledger.score(agentId);
  const { score, unrounded } = scored;
  const counted = ledger.evidence(agentId);
  store.putEvidence(
    rows,
    null,
    {
      agentId,
      evidence: counted,
      trustPolicy: policy.name,
      trustScore: score,
      unrounded,
      previousScore: before.trustScore,
      scoredPosition: event.position,
      line: null,
      confidence: confidenceOfScore(scored),
    },
    () => packEvidence(counted),
  );
};

const recordedReviews = (ratings: readonly CountedRating[], voided: ReadonlySet<bigint>): RecordedReview[] =>
  ratings.map(({ position, callerAgentId: reviewer, countedAt, reviewerTrust, reviewerRoots, success, score }) => ({
    review: { reviewedAt: countedAt, reviewer, roots: reviewerRoots, trust: reviewerTrust, success, score },
    isVoid: voided.has(position),
  }));

type Voided = Extract<ProjectedRegistryEvent, { type: 'ReviewsVoided' }>;
