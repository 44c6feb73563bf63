import type { RatingRecord } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../queries/database.ts';

type Row = Omit<RatingRecord, 'reviewedAt'> & { reviewedAt: Date };

/** The newest ratings that an agent received in one universe, newest first. */
export const findRatings = async (
  database: ReadModelDatabase,
  receiver: { agentId: string; universe: string; countMax: number },
): Promise<RatingRecord[]> => {
  const rows = await database.query<Row>({
    name: 'ratings-received',
    text: `SELECT transaction_id AS "transactionId", caller_agent_id AS "callerAgentId", caller_org_domain AS "callerOrgDomain",
        success, score, reviewed_at AS "reviewedAt"
      FROM rating WHERE receiver_agent_id = $1 AND universe = $2 ORDER BY position DESC LIMIT $3`,
    values: [receiver.agentId, receiver.universe, receiver.countMax],
  });
  return rows.map((row) => ({ ...row, reviewedAt: row.reviewedAt.toISOString() }));
};
