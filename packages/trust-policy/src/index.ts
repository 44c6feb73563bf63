export { BadHistoryError, type History, parseHistory } from './history/history-line.ts';
export { type RecordedReview, TrustLedger } from './ledger/trust-ledger.ts';
export { BadPolicyError, parsePolicy } from './policy/parse-policy.ts';
export type { PolicyConstants, PolicyPriors, TrustPolicy } from './policy/trust-policy.ts';
export { builtInPolicies, canonicalPolicy, policyV1, priorOf } from './policy/trust-policy.ts';
export * from './v1/constants.ts';
export type { NotCountedReason, ReviewPart } from './v1/direct.ts';
export { explainDirect, scoreDirect } from './v1/direct.ts';
export type { Basis, Verdict } from './v1/formula.ts';
export type { AppliedReview, ReviewInContext } from './v1/incremental/apply-review.ts';
export { applyReview, effectiveTime } from './v1/incremental/apply-review.ts';
export type {
  AgentEvidence,
  HeldReview,
  PairEvidence,
  PairReview,
  RecentReview,
  RootColumns,
} from './v1/incremental/evidence.ts';
export { initialEvidence, withPrior } from './v1/incremental/evidence.ts';
export { indexOfRoot } from './v1/incremental/root-table.ts';
export { type KeptReview, reviewParts } from './v1/incremental/review-parts.ts';
export { rootsOfReviewer, scoreOf } from './v1/incremental/score-of.ts';
export type { Review, RootShare } from './v1/review.ts';
export { splitOf } from './v1/review.ts';
export type { Contribution, ExplainedAverage, RootContribution, TrustScore } from './v1/trust-score.ts';
export { contributionsOf, withExactPoints } from './v1/trust-score.ts';
