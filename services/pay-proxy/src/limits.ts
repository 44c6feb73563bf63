export const payLimits = {
  /** An answer that is no success is held whole, so that nothing of the endpoint is in it. */
  heldAnswerBytesMax: 1024 * 1024,
  /** What was paid for passes through; it is never held whole, so this bounds what one payment may carry, not what it needs of memory. */
  streamedAnswerBytesMax: 1024 * 1024 * 1024,
  /** Longest life of an answer, however lively it is. */
  answerTotalMs: 15 * 60_000,
  /** A body of a declared length up to this goes out in one piece, with that length; some servers take no other. */
  wholeBodyBytesMax: 256 * 1024,
  /** How long a payer may leave a full window of an answer unread. */
  payerStallTimeoutMs: 180_000,
  /** HTTP has no status beyond (RFC 9110 §15). */
  statusMax: 599,
} as const;
