import { type CommandIds, exchangeStream, limits, production, type RatingRecord } from '@agent-trust/contracts';
import { eventIdOfCommand } from '@agent-trust/event-log';
import sql, { join, type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { queryLimits } from '../../../shared/limits.ts';
import { universeKey } from '../universe-key.ts';

type Row = Omit<RatingRecord, 'reviewedAt'> & { reviewedAt: Date };
/** Values, or columns of a statement around this one. */
type Receiver = { agentId: string | Sql; universe: string | Sql; countMax: number };

/** The largest bigint of the database. */
const placesMax = 2n ** 63n - 1n;

/**
 * Selects the newest ratings that an agent received, as they are seen from a universe, newest first: those of that universe and, from a
 * sandbox, also those of production, which are public. Ratings of a sandbox are never seen from elsewhere, even after the agent has moved.
 *
 * @param before ratings from these places on are skipped by their place, without being read. Places count up from 0 in production and are
 *   positions in sandboxes
 */
export function newestRatings(
  { agentId, universe, countMax }: Receiver,
  before = { production: placesMax, sandbox: placesMax },
): Sql {
  const ofProduction = universeKey(production);
  const ownBefore = sql`CASE WHEN ${universe}::text = ${ofProduction} THEN ${before.production}::bigint ELSE ${before.sandbox}::bigint END`;
  // Two ranges of one index; with an array of universes the database would sort all that the agent ever received.
  return sql`
    SELECT r.transaction_id, r.caller_agent_id, r.caller_org_domain, r.success, r.score, r.reviewed_at
    FROM (
      (SELECT * FROM rating WHERE receiver_agent_id = ${agentId} AND universe = ${universe} AND place < ${ownBefore}
        ORDER BY place DESC LIMIT ${countMax})
      UNION ALL
      (SELECT * FROM rating WHERE receiver_agent_id = ${agentId} AND universe = ${ofProduction} AND place < ${before.production}::bigint
        AND ${universe}::text <> ${ofProduction} ORDER BY place DESC LIMIT ${countMax})
    ) r ORDER BY r.position DESC LIMIT ${countMax}`;
}

/**
 * The newest ratings as they were at a position of the log.
 *
 * @param receiver.reviewCount reviews of production that the agent had received by then
 */
export async function findRatingsAt(
  database: ReadModelDatabase,
  { position, reviewCount, ...receiver }: Receiver & { position: bigint; reviewCount: number },
): Promise<RatingRecord[]> {
  const before = { production: BigInt(reviewCount), sandbox: position + 1n };
  const rows = await database.query<Row>(newestRatings(receiver, before));
  return rows.map((row) => ({ ...row, reviewedAt: row.reviewedAt.toISOString() }));
}

/** The exchange of a pair that a command with one of these ids has reviewed in the last 24 hours, or null. */
export async function findReviewedBy(
  database: ReadModelDatabase,
  { callerAgentId, receiverAgentId, universe }: { callerAgentId: string; receiverAgentId: string; universe: string },
  { commandId, earlierCommandId }: CommandIds,
  now: Date,
): Promise<string | null> {
  const ids = [commandId, earlierCommandId].filter((id) => id !== null);
  if (ids.length === 0) return null;
  const since = new Date(now.getTime() - limits.idempotencyLifetimeMs);
  const rows = await database.query<{ transactionId: string; eventId: string; reviewedAt: Date; universe: string }>(sql`
    SELECT transaction_id, event_id, reviewed_at, universe FROM rating
    WHERE receiver_agent_id = ${receiverAgentId} AND caller_agent_id = ${callerAgentId}
    ORDER BY position DESC LIMIT ${queryLimits.reviewsOfPairMax}`);
  // The review is the only event of its command.
  const isOurs = (row: (typeof rows)[number]): boolean =>
    ids.some((id) => row.eventId === eventIdOfCommand(id, exchangeStream(row.transactionId), 0));
  const found = rows.find((row) => row.universe === universe && row.reviewedAt >= since && isOurs(row));
  return found?.transactionId ?? null;
}

/** Where a review is in the log. */
export type ReviewPlace = { transactionId: string; position: bigint };

/** A page of all reviews that an agent received and that are seen from a universe as ratings are, oldest first, and how many there are in all. */
export async function findReviewPlaces(
  database: ReadModelDatabase,
  { agentId, universe, limit, offset }: { agentId: string; universe: string; limit: number; offset: number },
): Promise<{ reviews: ReviewPlace[]; total: number }> {
  const universes = [...new Set([universe, universeKey(production)])];
  const ofOne = (one: string): Sql =>
    sql`SELECT transaction_id, position FROM rating WHERE receiver_agent_id = ${agentId} AND universe = ${one}
      ORDER BY place LIMIT ${offset + limit}::int`;
  const [reviews, [counted]] = await Promise.all([
    // Ranges of an index, which has those of each universe in order.
    database.query<ReviewPlace>(
      sql`SELECT transaction_id, position FROM (${join(
        universes.map((one) => sql`(${ofOne(one)})`),
        ' UNION ALL ',
      )}) r
        ORDER BY position OFFSET ${offset}::int LIMIT ${limit}::int`,
    ),
    database.query<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM rating
        WHERE receiver_agent_id = ${agentId} AND universe = ANY (${universes}::text[])`,
    ),
  ]);
  return { reviews, total: counted?.total ?? 0 };
}

/** A review of production with everything that its part in a score depends on. */
export type ExplainedRating = {
  eventId: string;
  transactionId: string;
  callerAgentId: string;
  success: boolean;
  score: number;
  reviewedAt: Date;
  place: bigint;
  countedAt: number;
  reviewerTrust: number;
  reviewerRoots: Record<string, number>;
  /** Newer reviews of the same reviewer, up to the position asked for. */
  newer: number;
};

/**
 * A page of the reviews of an agent as they were at a position, newest first. A page far down is found as fast as the first.
 *
 * @param page.count reviews of the agent up to that position
 */
export function findExplainedRatings(
  database: ReadModelDatabase,
  page: { agentId: string; position: bigint; count: number; limit: number; offset: number },
): Promise<ExplainedRating[]> {
  const before = Math.max(0, page.count - page.offset);
  return database.query<ExplainedRating>(sql`
    SELECT r.event_id, r.transaction_id, r.caller_agent_id, r.success, r.score, r.reviewed_at, r.place, r.counted_at,
      r.reviewer_trust, r.reviewer_roots, newest.ordinal - r.ordinal AS newer
    FROM (SELECT * FROM rating WHERE receiver_agent_id = ${page.agentId} AND universe = 'production' AND place < ${before}::bigint
      ORDER BY place DESC LIMIT ${page.limit}::int) r
    JOIN LATERAL (SELECT n.ordinal FROM rating n WHERE n.receiver_agent_id = r.receiver_agent_id
      AND n.caller_agent_id = r.caller_agent_id AND n.ordinal IS NOT NULL AND n.position <= ${page.position}::bigint
      ORDER BY n.position DESC LIMIT 1) newest ON true
    ORDER BY r.place DESC`);
}
