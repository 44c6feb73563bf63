import { production, type RatingRecord } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../queries/database.ts';
import { universeKey } from '../universe-key.ts';

type Row = Omit<RatingRecord, 'reviewedAt'> & { reviewedAt: Date };

/**
 * The newest ratings that an agent received, as they are seen from a universe, newest first: those of that universe, and from a
 * sandbox also those of production, which are public. What was rated in a sandbox is never seen outside of it, wherever the agent
 * went since.
 */
export const findRatings = async (
  database: ReadModelDatabase,
  receiver: { agentId: string; universe: string; countMax: number },
): Promise<RatingRecord[]> => {
  const rows = await database.query<Row>({
    name: 'ratings-received',
    // Two stretches of one index; an array of universes would make the database sort all that the agent ever received.
    text: `SELECT r.transaction_id AS "transactionId", r.caller_agent_id AS "callerAgentId",
        r.caller_org_domain AS "callerOrgDomain", r.success, r.score, r.reviewed_at AS "reviewedAt"
      FROM (
        (SELECT * FROM rating WHERE receiver_agent_id = $1 AND universe = $2 ORDER BY position DESC LIMIT $4)
        UNION ALL
        (SELECT * FROM rating WHERE receiver_agent_id = $1 AND universe = $3 AND $2 <> $3 ORDER BY position DESC LIMIT $4)
      ) r ORDER BY r.position DESC LIMIT $4`,
    values: [receiver.agentId, receiver.universe, universeKey(production), receiver.countMax],
  });
  return rows.map((row) => ({ ...row, reviewedAt: row.reviewedAt.toISOString() }));
};
