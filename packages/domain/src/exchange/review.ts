import { DomainError, type ExchangeReviewed, sameUniverse, type Universe } from '@agent-trust/contracts';
import { type ExchangeParties, type ExchangeState, partiesOf } from './state.ts';
import { unreachable } from '../decider.ts';

/** One side of a review at the time of the review. */
export type ReviewParty = { agentId: string; universe: Universe; orgId: string | null; orgDomain: string | null };

/** The reviewer as the trust policy needs it after every event up to position `asOf`: trust_score 0–100, and shares of its root domains, which sum to 1. */
export type Reviewer = ReviewParty & { trustScore: number; roots: Record<string, number>; asOf: string | null };

/** `score` is 1–10; `now` is RFC 3339. Both sides are in the reviewer's universe. */
export type ReviewExchange = {
  type: 'ReviewExchange';
  transactionId: string;
  reviewer: Reviewer;
  receiver: ReviewParty;
  success: boolean;
  score: number;
  /** Whether the exchange has left the log. */
  isArchived?: boolean;
  now: string;
};

/**
 * Records a review with the reviewer's standing at this time. Refusals, in this order: self_review, caller_trust_too_low,
 * same_org_domain, exchange_archived, no_unreviewed_exchange, already_reviewed.
 */
export function reviewExchange(command: ReviewExchange, state: ExchangeState): ExchangeReviewed[] {
  const { reviewer, receiver, success, score, now } = command;
  ensureReviewAllowed(reviewer, receiver);
  const parties = ensureUnreviewedExchange(command, state);
  const { orgId, orgDomain, trustScore, roots, asOf } = reviewer;
  return [
    {
      type: 'ExchangeReviewed',
      data: { ...parties, success, score, reviewer: { orgId, orgDomain, trustScore, roots, asOf }, reviewedAt: now },
    },
  ];
}

/** Rule A: an agent that is not trusted has no influence on the trust in others. */
const reviewerTrustScoreMin = 50;

/** Rules D, A and B. They need no exchange: a caller who may not review must not learn whether there is one. */
export function ensureReviewAllowed(reviewer: Reviewer, receiver: ReviewParty): void {
  if (reviewer.agentId === receiver.agentId) {
    throw new DomainError('self_review', `agent ${JSON.stringify(reviewer.agentId)} cannot review itself`);
  }
  if (reviewer.trustScore < reviewerTrustScoreMin) {
    throw new DomainError(
      'caller_trust_too_low',
      `a reviewer needs a trust_score of at least ${reviewerTrustScoreMin}; the caller has ${reviewer.trustScore}`,
    );
  }
  ensureDifferentOrganisation(reviewer, receiver);
}

/**
 * Rule B: agents of one org_domain never review each other, and in production neither do agents of one organisation. In a sandbox all
 * agents belong to one organisation and no review changes a score, so the review flow can be tried there. Refuses with `same_org_domain`.
 */
const ensureDifferentOrganisation = (reviewer: ReviewParty, receiver: ReviewParty): void => {
  if (reviewer.orgDomain !== null && reviewer.orgDomain === receiver.orgDomain) {
    throw new DomainError('same_org_domain', `caller and receiver share the org_domain ${reviewer.orgDomain}`);
  }
  const inProduction = reviewer.universe.kind === 'production';
  if (inProduction && reviewer.orgId !== null && reviewer.orgId === receiver.orgId) {
    throw new DomainError('same_org_domain', 'caller and receiver belong to one organisation');
  }
};

/**
 * Rule C: an ended exchange of this caller with this receiver is reviewed once. The review is in the exchange's own stream, so exactly one
 * of many concurrent reviews meets the expected revision. Refuses with `no_unreviewed_exchange` (none of this pair, or not ended) or
 * `already_reviewed`.
 */
const ensureUnreviewedExchange = (command: ReviewExchange, state: ExchangeState): ExchangeParties => {
  const { transactionId, reviewer, receiver } = command;
  const subject = transactionId === '' ? 'there' : JSON.stringify(transactionId);
  const none = new DomainError(
    'no_unreviewed_exchange',
    `${subject} is no unreviewed exchange of ${JSON.stringify(reviewer.agentId)} with ${JSON.stringify(receiver.agentId)}`,
  );
  // Not known any more, as are its parties: whoever knows the id is told.
  if (command.isArchived === true) {
    throw new DomainError(
      'exchange_archived',
      `exchange ${JSON.stringify(transactionId)} ended so long ago that it can no longer be reviewed`,
    );
  }
  if (state.kind === 'absent' || !isOfPair(command, state)) throw none;
  switch (state.kind) {
    case 'started':
      throw none;
    case 'reviewed':
    case 'answered':
      throw new DomainError('already_reviewed', `exchange ${JSON.stringify(transactionId)} was reviewed already`);
    case 'ended':
      return partiesOf(state);
    default:
      return unreachable(state);
  }
};

const isOfPair = ({ reviewer, receiver }: ReviewExchange, exchange: ExchangeParties): boolean =>
  exchange.callerAgentId === reviewer.agentId &&
  exchange.receiverAgentId === receiver.agentId &&
  sameUniverse(exchange.universe, reviewer.universe);
