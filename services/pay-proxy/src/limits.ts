export const payLimits = {
  /** An answer without success is held whole, to replace the agent's address in it. */
  heldAnswerBytesMax: 1024 * 1024,
  /** A body of a declared length up to this is sent in one piece, with that length: some servers require one. */
  wholeBodyBytesMax: 256 * 1024,
  /** The highest status of HTTP (RFC 9110 §15). */
  statusMax: 599,
} as const;
