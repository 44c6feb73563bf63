/**
 * The longest of each wait of a call-proxy beside the agent's own time, in the order in which they come. The proxy waits no longer, and
 * a gateway waits for their sum: a gateway that gave up earlier would leave its caller without the answer of an agent that has answered, and
 * without the settlement of a payment that was made.
 */
export const callWaitsMs = {
  /** Whether a call that came with a key was made before. */
  madeLookup: 5_000,
  targetLookup: 5_000,
  /** What was asked of the payer, for a call with a payment. */
  demandLookup: 1_000,
  /** The exchange's start, durable before the agent is contacted. */
  startRecord: 10_000,
  /** A settlement that the answer tells of. */
  settlementRecord: 5_000,
  /** The exchange's end, its last attempt included. */
  endRecord: 10_000,
  /** The best other agent to try. */
  fallbackLookup: 1_000,
  /** A demand for payment, kept for the payment that it asks for. */
  demandKeep: 1_000,
} as const;

/** The message's way to the proxy, the answer's way back, and the work between all waits. */
export const callMarginMs = 5_000;

const waitsMs: readonly number[] = Object.values(callWaitsMs);

/** What a call may take beyond its agent's time until its answer's head, in milliseconds. */
export const callOverheadMs: number = waitsMs.reduce((sum, waitMs) => sum + waitMs, callMarginMs);
