import {
  type CommandIds,
  exchangeStream,
  limits,
  production,
  type RatingRecord,
  type SealedText,
} from '@agent-trust/contracts';
import { eventIdOfCommand } from '@agent-trust/event-log';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { queryLimits } from '../../../shared/limits.ts';
import { universeKey } from '../universe-key.ts';

/** A rating with the answer to it, still sealed: null if its key was erased, absent if there is none. */
export type SealedRating = Omit<RatingRecord, 'answer'> & {
  answer?: { text: SealedText | null; answeredAt: string };
};
/** `Time` is a text where the row comes as JSON. */
export type RatingRow<Time extends Date | string> = Omit<RatingRecord, 'reviewedAt' | 'answer'> & {
  reviewedAt: Time;
  answeredAt: Time | null;
  answer: SealedText | null;
};
/** Values, or columns of a statement around this one. */
type Receiver = { agentId: string | Sql; universe: string | Sql; countMax: number };

/** The largest bigint of the database. */
const placesMax = 2n ** 63n - 1n;

/**
 * Selects the newest ratings that an agent received, as they are seen from a universe, newest first: those of that universe and, from a
 * sandbox, also those of production, which are public. Ratings of a sandbox are never seen from elsewhere, even after the agent has moved,
 * and void ones by nobody.
 *
 * @param before ratings from these places on are skipped by their place, without being read; answers to them and what voids them, from an
 *   event on. Places count up from 0 in production and are positions in sandboxes
 */
export function newestRatings(
  { agentId, universe, countMax }: Receiver,
  before = { production: placesMax, sandbox: placesMax, event: placesMax },
): Sql {
  const ofProduction = universeKey(production);
  const ownBefore = sql`CASE WHEN ${universe}::text = ${ofProduction} THEN ${before.production}::bigint ELSE ${before.sandbox}::bigint END`;
  const isNotVoid = (rating: string): Sql => sql`NOT EXISTS (SELECT FROM voided_review v
    WHERE v.position = ${raw(rating)}.position AND v.voided_position < ${before.event}::bigint)`;
  // Evaluated once: an agent without answers costs no lookup for each of its ratings. The limit below keeps the database from reading all
  // answers of an agent that has many.
  const hasAnswers = sql`(SELECT true FROM review_answer WHERE receiver_agent_id = ${agentId} LIMIT 1)`;
  // Two ranges of one index; with an array of universes the database would sort all that the agent ever received.
  return sql`
    SELECT r.transaction_id, r.caller_agent_id, r.caller_org_domain, r.success, r.score, r.reviewed_at, given.answered_at, given.answer
    FROM (
      (SELECT * FROM rating o WHERE receiver_agent_id = ${agentId} AND universe = ${universe} AND place < ${ownBefore} AND ${isNotVoid('o')}
        ORDER BY place DESC LIMIT ${countMax})
      UNION ALL
      (SELECT * FROM rating p WHERE receiver_agent_id = ${agentId} AND universe = ${ofProduction} AND place < ${before.production}::bigint AND ${isNotVoid('p')}
        AND ${universe}::text <> ${ofProduction} ORDER BY place DESC LIMIT ${countMax})
    ) r
    LEFT JOIN LATERAL (
      SELECT w.answered_at, CASE WHEN NOT EXISTS (SELECT FROM erased_key k WHERE k.key_id = w.key_id)
        THEN json_build_object('keyId', w.key_id, 'sealed', w.sealed) END AS answer
      FROM review_answer w WHERE ${hasAnswers} AND w.receiver_agent_id = ${agentId} AND w.transaction_id = r.transaction_id
        AND w.position < ${before.event}::bigint LIMIT 1
    ) given ON true
    ORDER BY r.position DESC LIMIT ${countMax}`;
}

/**
 * The newest ratings as they were at a position of the log.
 *
 * @param receiver.reviewsReceived of production by then, void ones too
 */
export async function findRatingsAt(
  database: ReadModelDatabase,
  { position, reviewsReceived, ...receiver }: Receiver & { position: bigint; reviewsReceived: number },
): Promise<SealedRating[]> {
  const before = { production: BigInt(reviewsReceived), sandbox: position + 1n, event: position + 1n };
  return (await database.query<RatingRow<Date>>(newestRatings(receiver, before))).map(sealedRating);
}

export function sealedRating({ reviewedAt, answeredAt, answer, ...row }: RatingRow<Date | string>): SealedRating {
  const rating = { ...row, reviewedAt: new Date(reviewedAt).toISOString() };
  if (answeredAt === null) return rating;
  return { ...rating, answer: { text: answer, answeredAt: new Date(answeredAt).toISOString() } };
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
  /** Newer reviews of the same reviewer, up to the position asked for, without void ones. */
  newer: number;
  /** By the position asked for. */
  isVoid: boolean;
};

/**
 * A page of the reviews of an agent as they were at a position, newest first. A page far down is found as fast as the first.
 *
 * @param page.count reviews of the agent up to that position, void ones too
 */
export function findExplainedRatings(
  database: ReadModelDatabase,
  page: { agentId: string; position: bigint; count: number; limit: number; offset: number; entriesOf: string | null },
): Promise<ExplainedRating[]> {
  const before = Math.max(0, page.count - page.offset);
  return database.query<ExplainedRating>(sql`
    SELECT r.event_id, r.transaction_id, r.caller_agent_id, r.success, r.score, r.reviewed_at, r.place, r.counted_at,
      r.reviewer_trust, coalesce(e.roots, r.reviewer_roots) AS reviewer_roots, (newest.ordinal - r.ordinal - (SELECT count(*) FROM voided_review v
        WHERE v.receiver_agent_id = r.receiver_agent_id AND v.caller_agent_id = r.caller_agent_id AND v.ordinal > r.ordinal
          AND v.voided_position <= ${page.position}::bigint))::int AS newer,
      EXISTS (SELECT FROM voided_review v WHERE v.position = r.position AND v.voided_position <= ${page.position}::bigint) AS is_void
    FROM (SELECT * FROM rating WHERE receiver_agent_id = ${page.agentId} AND universe = 'production' AND place < ${before}::bigint
      ORDER BY place DESC LIMIT ${page.limit}::int) r
    JOIN LATERAL (SELECT n.ordinal FROM rating n WHERE n.receiver_agent_id = r.receiver_agent_id
      AND n.caller_agent_id = r.caller_agent_id AND n.ordinal IS NOT NULL AND n.position <= ${page.position}::bigint
      ORDER BY n.position DESC LIMIT 1) newest ON true
    LEFT JOIN trust_entry e ON e.subject = ${page.entriesOf}::text AND e.position = r.position
    ORDER BY r.place DESC`);
}
