import { x402Limits } from '@agent-trust/x402';

export const payLimits = {
  /** An answer without success is held whole, to replace the agent's address in it. */
  heldAnswerBytesMax: x402Limits.pageBytesMax,
  /** Bytes of all long answers that are held at one time, and of those of one agent; others wait for room. A text takes several times its bytes. */
  heldAnswers: { shortBytesMax: 64 * 1024, allMax: 32 * 1024 * 1024, perAgentMax: 16 * 1024 * 1024 },
  /** A body of a declared length up to this is sent in one piece, with that length: some servers require one. */
  wholeBodyBytesMax: 256 * 1024,
  /** The highest status of HTTP (RFC 9110 §15). */
  statusMax: 599,
} as const;
