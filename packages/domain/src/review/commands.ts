import type { Universe } from '@agent-trust/contracts';

/** One side of a review, as it stands at the moment of reviewing. */
export type ReviewParty = { agentId: string; universe: Universe; orgId: string | null; orgDomain: string | null };

/** The reviewer, with what the trust policy needs of it: trust_score 0–100, and its root domains' shares, which sum to 1. */
export type Reviewer = ReviewParty & { trustScore: number; roots: Record<string, number> };

/** `score` is 1–10; `now` is RFC 3339. Both sides are in the reviewer's universe. */
export type ReviewExchange = {
  type: 'ReviewExchange';
  transactionId: string;
  reviewer: Reviewer;
  receiver: ReviewParty;
  success: boolean;
  score: number;
  now: string;
};
