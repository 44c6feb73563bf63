import { production, type RatingRecord } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { universeKey } from '../universe-key.ts';

type Row = Omit<RatingRecord, 'reviewedAt'> & { reviewedAt: Date };

/**
 * The newest ratings that an agent received, as they are seen from a universe, newest first: those of that universe, and from a
 * sandbox also those of production, which are public. What was rated in a sandbox is never seen outside of it, wherever the agent
 * went since.
 */
export function findRatings(
  database: ReadModelDatabase,
  receiver: { agentId: string; universe: string; countMax: number },
): Promise<RatingRecord[]> {
  return ratingsBefore(database, receiver, { production: null, sandbox: null });
}

/**
 * The same as they were at a position of the log. One after it is stepped over by its place and never looked at.
 *
 * @param receiver.reviewCount reviews of production that the agent had received by then
 */
export function findRatingsAt(
  database: ReadModelDatabase,
  receiver: { agentId: string; universe: string; countMax: number; position: bigint; reviewCount: number },
): Promise<RatingRecord[]> {
  return ratingsBefore(database, receiver, {
    production: BigInt(receiver.reviewCount),
    sandbox: receiver.position + 1n,
  });
}

/** Places count up from 0 in production and are positions in sandboxes; null is no bound. */
const ratingsBefore = async (
  database: ReadModelDatabase,
  { agentId, universe, countMax }: { agentId: string; universe: string; countMax: number },
  before: { production: bigint | null; sandbox: bigint | null },
): Promise<RatingRecord[]> => {
  const ofProduction = universeKey(production);
  const bound = (place: bigint | null): string => String(place ?? placesMax);
  const rows = await database.query<Row>({
    name: 'ratings-received',
    // Two stretches of one index; an array of universes would make the database sort all that the agent ever received.
    text: `SELECT r.transaction_id AS "transactionId", r.caller_agent_id AS "callerAgentId",
        r.caller_org_domain AS "callerOrgDomain", r.success, r.score, r.reviewed_at AS "reviewedAt"
      FROM (
        (SELECT * FROM rating WHERE receiver_agent_id = $1 AND universe = $2 AND place < $5::bigint ORDER BY place DESC LIMIT $4)
        UNION ALL
        (SELECT * FROM rating WHERE receiver_agent_id = $1 AND universe = $3 AND place < $6::bigint AND $2 <> $3 ORDER BY place DESC LIMIT $4)
      ) r ORDER BY r.position DESC LIMIT $4`,
    values: [
      agentId,
      universe,
      ofProduction,
      countMax,
      bound(universe === ofProduction ? before.production : before.sandbox),
      bound(before.production),
    ],
  });
  return rows.map((row) => ({ ...row, reviewedAt: row.reviewedAt.toISOString() }));
};

/** The largest bigint of the database. */
const placesMax = 2n ** 63n - 1n;
