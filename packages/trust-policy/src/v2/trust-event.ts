/** A review as its event tells it. */
export type RecordedReviewV2 = {
  /** Names the review if it is voided. */
  id: string;
  receiver: string;
  reviewer: {
    agent: string;
    organisation: string | null;
    orgDomain: string | null;
    /** What the event has frozen, 0–100; under which policy does not matter. */
    trust: number;
    /** What the event has frozen: root → share. */
    roots: Readonly<Record<string, number>>;
  };
  /** Milliseconds since the Unix epoch. */
  reviewedAt: number;
  success: boolean;
  /** 1–10. */
  score: number;
  /** A review in a sandbox does nothing. */
  inProduction: boolean;
};

/**
 * The events of the log that policy v2 reads. Moves between universes are not among them: an agent keeps its evidence and its organisation, and whether a
 * review counts stands in its own event.
 */
export type TrustEvent =
  | { type: 'registered'; agent: string; organisation: string | null; base: number }
  | { type: 'adopted'; agent: string; organisation: string }
  | { type: 'domain_reserved'; domain: string; organisation: string | null }
  | { type: 'reviewed'; review: RecordedReviewV2 }
  | { type: 'voided'; reviews: readonly string[] };
