import type { ReadModelDatabase } from '../../../shared/database.ts';

/** A review of production with all that its part in a score is made from. */
export type ExplainedRating = {
  eventId: string;
  transactionId: string;
  callerAgentId: string;
  success: boolean;
  score: number;
  reviewedAt: Date;
  sequence: bigint;
  countedAt: number;
  reviewerTrust: number;
  reviewerRoots: Record<string, number>;
  /** Newer reviews of the same reviewer, up to the position asked for. */
  newer: number;
};

/**
 * A page of the reviews of an agent as they were at a position, newest first. Pages begin at once, however far down they are.
 *
 * @param page.count reviews of the agent up to that position
 */
export function findExplainedRatings(
  database: ReadModelDatabase,
  page: { agentId: string; position: bigint; count: number; limit: number; offset: number },
): Promise<ExplainedRating[]> {
  return database.query<ExplainedRating>({
    name: 'explained-ratings',
    text: `SELECT r.event_id AS "eventId", r.transaction_id AS "transactionId", r.caller_agent_id AS "callerAgentId", r.success, r.score,
        r.reviewed_at AS "reviewedAt", r.place AS sequence, r.counted_at AS "countedAt", r.reviewer_trust AS "reviewerTrust",
        r.reviewer_roots AS "reviewerRoots", newest.ordinal - r.ordinal AS newer
      FROM (SELECT * FROM rating WHERE receiver_agent_id = $1 AND universe = 'production' AND place < $3::bigint
        ORDER BY place DESC LIMIT $4::int) r
      JOIN LATERAL (SELECT n.ordinal FROM rating n WHERE n.receiver_agent_id = r.receiver_agent_id
        AND n.caller_agent_id = r.caller_agent_id AND n.ordinal IS NOT NULL AND n.position <= $2::bigint
        ORDER BY n.position DESC LIMIT 1) newest ON true
      ORDER BY r.place DESC`,
    values: [page.agentId, String(page.position), String(Math.max(0, page.count - page.offset)), page.limit],
  });
}
