export { BadHistoryError, type History, parseHistory } from './history/history-line.ts';
export { parseSmallLog, scoreSmallLog, type SmallLog, type SmallLogScores } from './history/small-log.ts';
export { type RecordedReview, TrustLedger } from './ledger/trust-ledger.ts';
export { BadPolicyError, parsePolicy, parsePolicyV1, parsePolicyV2 } from './policy/parse-policy.ts';
export type { PolicyConstants, PolicyPriors, TrustPolicy } from './policy/trust-policy.ts';
export { type Confidence, confidenceAt, confidenceOfScore } from './confidence.ts';
export { type AnyTrustPolicy, builtInPolicies } from './policy/built-in-policies.ts';
export { canonicalPolicy, policyV1, priorOf } from './policy/trust-policy.ts';
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
export { type PolicyConstantsV2, policyV2, type TrustPolicyV2 } from './policy/trust-policy-v2.ts';
export { averagesOfAgent, type AgentAverages } from './v2/agent-score.ts';
export { DirectLog } from './v2/direct/direct-log.ts';
export { viewOfEntries } from './v2/direct/direct-view.ts';
export type { Entry, Subject } from './v2/entry.ts';
export { isEstablishedOrganisation } from './v2/established.ts';
export {
  type ContributionV2,
  explainAgent,
  type ExplainedAgent,
  type ExplainedRecord,
  explainRecord,
} from './v2/explain.ts';
export { type AddedEntry, addEntry, type EntryInContext } from './v2/incremental/add-entry.ts';
export { changeBetween, type EvidenceChange, evidenceAfterChanges } from './v2/incremental/changes.ts';
export { type EvidenceV2, evidenceWithMarks, initialEvidenceV2, marksOf } from './v2/incremental/evidence.ts';
export { viewOf } from './v2/incremental/evidence-view.ts';
export { reviewPartsV2 } from './v2/incremental/review-parts.ts';
export { countEntries } from './v2/ledger/account.ts';
export { type ChangedEvidence, TrustLedgerV2 } from './v2/ledger/trust-ledger-v2.ts';
export { type OrganisationRecord, recordOf } from './v2/organisation-record.ts';
export { type Addition, planReview, type ReviewContext, type ReviewPlan } from './v2/plan-review.ts';
export { splitOfReviewer } from './v2/roots.ts';
export { RECORD_MAX, type RulesV2, rulesOfV2 } from './v2/rules.ts';
export type { RecordedReviewV2, TrustEvent } from './v2/trust-event.ts';
export { type Line, type ScoreLine, verdictAt } from './v2/verdict.ts';
export { type EvidenceView, NO_PLACE } from './v2/view.ts';
