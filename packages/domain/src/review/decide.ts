import type { ExchangeReviewed } from '@agent-trust/contracts';
import type { ExchangeState } from '../exchange/state.ts';
import type { ReviewExchange, Reviewer, ReviewParty } from './commands.ts';
import { ensureOtherAgent } from './no-self-review.ts';
import { ensureUnreviewedExchange } from './one-review-per-exchange.ts';
import { ensureTrustedReviewer } from './reviewer-needs-50.ts';
import { ensureDifferentOrganisation } from './same-org-is-blocked.ts';

/**
 * Records a review, with all that the trust policy needs of the moment frozen into the event. Refusals, in this order:
 * self_review, caller_trust_too_low, same_org_domain, no_unreviewed_exchange, already_reviewed.
 */
export function reviewExchange(command: ReviewExchange, state: ExchangeState): ExchangeReviewed[] {
  const { reviewer, receiver, success, score, now } = command;
  ensureReviewAllowed(reviewer, receiver);
  const parties = ensureUnreviewedExchange(command, state);
  return [
    {
      type: 'ExchangeReviewed',
      data: {
        ...parties,
        success,
        score,
        reviewer: {
          orgId: reviewer.orgId,
          orgDomain: reviewer.orgDomain,
          trustScore: reviewer.trustScore,
          roots: reviewer.roots,
        },
        reviewedAt: now,
      },
    },
  ];
}

/** Rules A, B and D, which need no exchange: a caller who may not review is not told whether there is one. */
export function ensureReviewAllowed(reviewer: Reviewer, receiver: ReviewParty): void {
  ensureOtherAgent(reviewer.agentId, receiver.agentId);
  ensureTrustedReviewer(reviewer.trustScore);
  ensureDifferentOrganisation(reviewer, receiver);
}
