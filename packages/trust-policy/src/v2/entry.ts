import type { Review } from '../v1/review.ts';

/**
 * A review as it stands in one piece of evidence. A review of an agent may stand in several: with other roots in the record of the agent's organisation,
 * and with less trust in the standing record of an organisation that answers for the agent.
 */
export type Entry = Review & {
  /** The reviewer's organisation, and whether it was established then; null for a reviewer without one. */
  own: { organisation: string; isEstablished: boolean } | null;
};

/** What evidence is about. */
export type Subject = {
  /** `record` and `standing` are about an organisation: its record, and its standing record. */
  kind: 'agent' | 'record' | 'standing';
  id: string;
};
