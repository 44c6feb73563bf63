export type LogProofErrorCode =
  | 'malformed_key'
  | 'malformed_checkpoint'
  | 'unknown_key'
  | 'wrong_signature'
  | 'wrong_origin'
  | 'malformed_proof'
  | 'wrong_leaf'
  | 'wrong_subject'
  | 'wrong_universe'
  | 'wrong_inclusion'
  | 'wrong_consistency'
  | 'rolled_back'
  | 'split_view'
  | 'malformed_verdict'
  | 'verdict_too_old';

/** A proof that does not hold, with the reason. Nothing of it may be used. */
export class LogProofError extends Error {
  override readonly name = 'LogProofError';
  /** The stable code of the reason. */
  readonly code: LogProofErrorCode;

  constructor(code: LogProofErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
