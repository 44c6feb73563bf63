import type { Universe } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../queries/database.ts';
import { universeOfKey } from '../universe-key.ts';

export type ExchangeParties = { callerAgentId: string; receiverAgentId: string; universe: Universe };

/** Who called whom in an exchange, or null for an unknown one. */
export const findExchangeParties = async (
  database: ReadModelDatabase,
  transactionId: string,
): Promise<ExchangeParties | null> => {
  const [row] = await database.query<{ callerAgentId: string; receiverAgentId: string; universe: string }>({
    name: 'exchange-parties',
    text: `SELECT caller_agent_id AS "callerAgentId", receiver_agent_id AS "receiverAgentId", universe
      FROM exchange WHERE transaction_id = $1`,
    values: [transactionId],
  });
  return row === undefined ? null : { ...row, universe: universeOfKey(row.universe) };
};
