import type { Universe } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { universeOfKey } from '../universe-key.ts';

export type ExchangeParties = { callerAgentId: string; receiverAgentId: string; universe: Universe };

/**
 * Who called whom in an exchange; null for an unknown one, and for a reviewed one: its id stands in the receiver's public ratings, so
 * knowing it proves nothing any more.
 */
export async function findExchangeParties(
  database: ReadModelDatabase,
  transactionId: string,
): Promise<ExchangeParties | null> {
  const [row] = await database.query<{ callerAgentId: string; receiverAgentId: string; universe: string }>({
    name: 'exchange-parties',
    text: `SELECT caller_agent_id AS "callerAgentId", receiver_agent_id AS "receiverAgentId", universe
      FROM exchange WHERE transaction_id = $1 AND NOT reviewed`,
    values: [transactionId],
  });
  return row === undefined ? null : { ...row, universe: universeOfKey(row.universe) };
}
