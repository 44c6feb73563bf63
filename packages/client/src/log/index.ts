/**
 * Proofs of the registry's log, verified offline, in Node and in browsers: nothing here sends a request. A receipt, a proof, a checkpoint or a
 * verdict is verified by the log's key, which a reader gets once from a trusted source, and keeps.
 */
export type { LogEntry } from '@agent-trust/transparency-log';
export { type LogCheckpoint, type LogTrust, openCheckpoint } from './checkpoint.ts';
export { LogProofError, type LogProofErrorCode } from './log-proof-error.ts';
export { type ConsistencyProofLike, verifyConsistency } from './verify-consistency.ts';
export {
  type InclusionProofLike,
  type ReviewReceiptLike,
  type VerifiedReceipt,
  verifyInclusion,
  verifyReceipt,
} from './verify-inclusion.ts';
export { type SignedVerdict, type VerdictExpectations, verifySignedVerdict } from './verify-signed-verdict.ts';
