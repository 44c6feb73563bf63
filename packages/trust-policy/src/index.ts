export * from './v1/constants.ts';
export type { NotCountedReason, ReviewPart } from './v1/direct.ts';
export { explainDirect, scoreDirect } from './v1/direct.ts';
export type { Basis, Verdict } from './v1/formula.ts';
export type { Review, RootShare } from './v1/review.ts';
export { splitOf } from './v1/review.ts';
export type { Contribution, ExplainedAverage, RootContribution, TrustScore } from './v1/trust-score.ts';
export { contributionsOf } from './v1/trust-score.ts';
