/**
 * The longest of each wait of a pay-proxy beside the agent's own time, in the order in which they come. As with calls (`callWaitsMs`) the
 * proxy waits no longer and a gateway waits for their sum: one that gave up earlier would leave a payer without what it has paid for.
 * Reaching the agent is part of the agent's time.
 */
export const relayWaitsMs = {
  /** Who made the call that the payment refers to. */
  partiesLookup: 5_000,
  targetLookup: 5_000,
  /** What was asked of the payer. */
  demandLookup: 1_000,
  /** A settlement that the answer tells of. */
  settlementRecord: 5_000,
  /** A demand for payment, kept for the payment that it asks for. */
  demandKeep: 1_000,
} as const;

/** The message's way to the proxy, the answer's way back, and the work between all waits. */
export const relayMarginMs = 5_000;

/** How long a payer may take to send a body that is passed on as it comes, in milliseconds; it does not count as the agent's time. */
export const relayBodySendMs = 60_000;

const waitsMs: readonly number[] = Object.values(relayWaitsMs);

/** What a payment may take beyond its agent's time, and beyond that for a body that is still to come, until its answer's head, in milliseconds. */
export const relayOverheadMs: number = waitsMs.reduce((sum, waitMs) => sum + waitMs, relayMarginMs);
