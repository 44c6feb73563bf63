export type LogProofErrorCode =
  | 'malformed_key'
  | 'malformed_checkpoint'
  | 'unknown_key'
  | 'wrong_signature'
  | 'wrong_origin'
  | 'malformed_proof'
  | 'wrong_leaf'
  | 'wrong_subject'
  | 'wrong_inclusion'
  | 'wrong_consistency'
  | 'rolled_back'
  | 'split_view'
  | 'malformed_verdict'
  | 'verdict_too_old';

/** Why something does not prove what it says. Nothing of it may be used then. */
export class LogProofError extends Error {
  override readonly name = 'LogProofError';
  /** In one stable word. */
  readonly code: LogProofErrorCode;

  constructor(code: LogProofErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
