/**
 * The timeout of each wait of a pay-proxy besides the agent's own time, in order. As with calls (`callWaitsMs`) a gateway waits for their
 * sum, since a payer must get what it has paid for. Connecting to the agent is part of the agent's time.
 */
export const relayWaitsMs = {
  /** The parties of the call that the payment refers to. */
  partiesLookup: 5_000,
  targetLookup: 5_000,
  /** The demand for payment. */
  demandLookup: 1_000,
  /** A settlement in the answer. */
  settlementRecord: 5_000,
  /** Keeping a demand for the payment that follows. */
  demandKeep: 1_000,
} as const;

/** Transport between gateway and proxy, and the work between all waits. */
export const relayMarginMs = 5_000;

/** Milliseconds that a payer may take to send a streamed body; not part of the agent's time. */
export const relayBodySendMs = 60_000;

const waitsMs: readonly number[] = Object.values(relayWaitsMs);

/** Milliseconds that a payment may take until its answer's head, besides the agent's time and the time to send its body. */
export const relayOverheadMs: number = waitsMs.reduce((sum, waitMs) => sum + waitMs, relayMarginMs);
