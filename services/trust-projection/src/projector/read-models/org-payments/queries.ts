import type { OrgPayment } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';

export type PaymentRow = Omit<OrgPayment, 'blockNumber' | 'settledAt'> & {
  blockNumber: bigint | null;
  settledAt: Date | null;
};

/** What every listing of payments shows, of `org_payment p`. */
export const paymentColumns = `p.transaction_id AS "transactionId", p.receiver_agent_id AS "receiverAgentId",
  p.caller_agent_id AS "callerAgentId", p.amount, p.amount_atomic AS "amountAtomic", p.currency, p.asset,
  p.settlement_rail AS "settlementRail", p.network, p.payee_address AS "payeeAddress", p.confirmation_ref AS "confirmationRef",
  p.block_number AS "blockNumber", p.settled_at AS "settledAt"`;

export function toOrgPayment(row: PaymentRow): OrgPayment {
  return {
    ...row,
    blockNumber: row.blockNumber === null ? null : Number(row.blockNumber),
    settledAt: row.settledAt?.toISOString() ?? null,
  };
}

/** `total` counts all of the organisation's payments in that universe, on whatever page. */
export type OrgPaymentPage = { payments: OrgPayment[]; total: number };

/** A page of the settlements that an organisation's agents received in one universe, newest first. */
export async function findOrgPayments(
  database: ReadModelDatabase,
  { orgId, universe, limit, offset }: { orgId: string; universe: string; limit: number; offset: number },
): Promise<OrgPaymentPage> {
  const [counted] = await database.query<{ payments: number }>({
    name: 'org-payments-count',
    text: 'SELECT count(*)::int AS payments FROM org_payment WHERE org_id = $1 AND universe = $2',
    values: [orgId, universe],
  });
  const rows = await database.query<PaymentRow>({
    name: 'org-payments',
    text: `SELECT ${paymentColumns} FROM org_payment p
      WHERE p.org_id = $1 AND p.universe = $2 ORDER BY p.position DESC LIMIT $3::int OFFSET $4::int`,
    values: [orgId, universe, limit, offset],
  });
  return { payments: rows.map(toOrgPayment), total: counted?.payments ?? 0 };
}
