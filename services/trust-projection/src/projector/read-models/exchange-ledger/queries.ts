import type { getExchangeParties } from '@agent-trust/contracts';
import { blockOf } from '@agent-trust/domain';
import type { Received } from '@agent-trust/nats-rpc';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { Blocks } from '../agent-directory/queries.ts';
import { universeOfKey } from '../universe-key.ts';

/** The newest ended and unreviewed exchange of a pair in one universe, or null. */
export async function findUnreviewedExchange(
  database: ReadModelDatabase,
  { callerAgentId, receiverAgentId, universe }: { callerAgentId: string; receiverAgentId: string; universe: string },
): Promise<string | null> {
  const [row] = await database.query<{ transactionId: string }>(sql`
    SELECT transaction_id FROM exchange WHERE caller_agent_id = ${callerAgentId} AND receiver_agent_id = ${receiverAgentId}
      AND universe = ${universe} AND NOT reviewed
      AND ended_position > coalesce((SELECT closed_position FROM exchange_retention), 0) ORDER BY ended_position DESC LIMIT 1`);
  return row?.transactionId ?? null;
}

/** Exchanges whose end is overdue, by the database's clock; longest overdue first. */
export async function findOverdueExchanges(database: ReadModelDatabase, countMax: number): Promise<string[]> {
  const rows = await database.query<{ transactionId: string }>(
    sql`SELECT transaction_id FROM exchange WHERE end_due_at < now() ORDER BY end_due_at LIMIT ${countMax}`,
  );
  return rows.map(({ transactionId }) => transactionId);
}

type ExchangeParties = NonNullable<Received<(typeof getExchangeParties)['output']>['parties']>;

/**
 * Who called whom in an exchange; null for an unknown one, and for a reviewed one: its id is in the receiver's public ratings, so
 * knowing the id proves nothing any more.
 */
export async function findExchangeParties(
  database: ReadModelDatabase,
  transactionId: string,
): Promise<ExchangeParties | null> {
  const [row] = await database.query<{ callerAgentId: string; receiverAgentId: string; universe: string } & Blocks>(sql`
    SELECT x.caller_agent_id, x.receiver_agent_id, x.universe, c.is_suspended, c.is_retired, c.is_organisation_disabled
    FROM exchange x JOIN agent c ON c.agent_id = x.caller_agent_id
    WHERE x.transaction_id = ${transactionId} AND NOT x.reviewed`);
  if (row === undefined) return null;
  const { callerAgentId, receiverAgentId, universe } = row;
  return { callerAgentId, receiverAgentId, universe: universeOfKey(universe), callerBlock: blockOf(row) };
}
