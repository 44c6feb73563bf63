import type { OrgPayment } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../queries/database.ts';

type Row = Omit<OrgPayment, 'blockNumber' | 'settledAt'> & { blockNumber: bigint | null; settledAt: Date | null };

/** `total` counts all of the organisation's payments in that universe, on whatever page. */
export type OrgPaymentPage = { payments: OrgPayment[]; total: number };

/** A page of the settlements that an organisation's agents received in one universe, newest first. */
export const findOrgPayments = async (
  database: ReadModelDatabase,
  { orgId, universe, limit, offset }: { orgId: string; universe: string; limit: number; offset: number },
): Promise<OrgPaymentPage> => {
  const [counted] = await database.query<{ payments: number }>({
    name: 'org-payments-count',
    text: 'SELECT count(*)::int AS payments FROM org_payment WHERE org_id = $1 AND universe = $2',
    values: [orgId, universe],
  });
  const rows = await database.query<Row>({
    name: 'org-payments',
    text: `SELECT transaction_id AS "transactionId", receiver_agent_id AS "receiverAgentId", caller_agent_id AS "callerAgentId",
        amount, amount_atomic AS "amountAtomic", currency, asset, settlement_rail AS "settlementRail", network,
        payee_address AS "payeeAddress", confirmation_ref AS "confirmationRef", block_number AS "blockNumber", settled_at AS "settledAt"
      FROM org_payment WHERE org_id = $1 AND universe = $2 ORDER BY position DESC LIMIT $3::int OFFSET $4::int`,
    values: [orgId, universe, limit, offset],
  });
  const payments = rows.map((row) => ({
    ...row,
    blockNumber: row.blockNumber === null ? null : Number(row.blockNumber),
    settledAt: row.settledAt?.toISOString() ?? null,
  }));
  return { payments, total: counted?.payments ?? 0 };
};
