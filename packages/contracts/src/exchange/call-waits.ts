/**
 * The timeout of each wait of a call-proxy besides the agent's own time, in order. A gateway waits for their sum: if it gave up earlier, its
 * caller would lose the answer of an agent that has answered, or the settlement of a payment.
 */
export const callWaitsMs = {
  /** Whether a call with an Idempotency-Key was made before. */
  madeLookup: 5_000,
  targetLookup: 5_000,
  /** The demand for payment, for a call with a payment. */
  demandLookup: 1_000,
  /** The exchange's start, durable before the agent is contacted. */
  startRecord: 10_000,
  /** A settlement in the answer. */
  settlementRecord: 5_000,
  /** The exchange's end, its last attempt included. */
  endRecord: 10_000,
  /** The best other agent to try. */
  fallbackLookup: 1_000,
  /** Keeping a demand for the payment that follows. */
  demandKeep: 1_000,
} as const;

/** Transport between gateway and proxy, and the work between all waits. */
export const callMarginMs = 5_000;

const waitsMs: readonly number[] = Object.values(callWaitsMs);

/** Milliseconds that a call may take until its answer's head, besides the agent's time. */
export const callOverheadMs: number = waitsMs.reduce((sum, waitMs) => sum + waitMs, callMarginMs);
