import { limits, type OrgPayment, type orgPaymentTotal, type Settlement } from '@agent-trust/contracts';
import sql, { empty } from 'sql-template-tag';
import type { z } from 'zod';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { queryLimits } from '../../../shared/limits.ts';

type PaymentRow = Omit<OrgPayment, 'blockNumber' | 'settledAt'> & {
  blockNumber: bigint | null;
  settledAt: Date | null;
};

/** What every listing of payments shows, of `org_payment p`. */
const paymentColumns = sql`p.transaction_id, p.receiver_agent_id, p.caller_agent_id, p.amount, p.amount_atomic, p.currency, p.asset,
  p.settlement_rail, p.network, p.payee_address, p.confirmation_ref, p.block_number, p.settled_at`;

const toOrgPayment = (row: PaymentRow): OrgPayment => ({
  ...row,
  blockNumber: row.blockNumber === null ? null : Number(row.blockNumber),
  settledAt: row.settledAt?.toISOString() ?? null,
});

/** A page of the settlements that an organisation's agents received in one universe, newest first; `total` counts all pages. */
export async function findOrgPayments(
  database: ReadModelDatabase,
  { orgId, universe, limit, offset }: { orgId: string; universe: string; limit: number; offset: number },
): Promise<{ payments: OrgPayment[]; total: number }> {
  const filter = sql`WHERE p.org_id = ${orgId} AND p.universe = ${universe}`;
  const [counted] = await database.query<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM org_payment p ${filter}`,
  );
  const rows = await database.query<PaymentRow>(sql`
    SELECT ${paymentColumns} FROM org_payment p ${filter}
    ORDER BY p.position DESC LIMIT ${limit}::int OFFSET ${offset}::int`);
  return { payments: rows.map(toOrgPayment), total: counted?.total ?? 0 };
}

type Total = z.output<typeof orgPaymentTotal>;

/**
 * What an organisation's agents received in one universe, by network and asset. Reads each of its payments, by their index. Payments of one asset
 * may be in its units or, where its decimals were not known, in atomic ones: such amounts are not added.
 */
export async function orgPaymentTotals(
  database: ReadModelDatabase,
  { orgId, universe }: { orgId: string; universe: string },
): Promise<Total[]> {
  const rows = await database.query<Omit<Total, 'lastSettledAt'> & { lastSettledAt: Date | null }>(sql`
    SELECT p.network, p.asset, p.currency, count(*)::int AS payment_count,
      CASE WHEN count(DISTINCT round(log(nullif(p.amount_atomic::numeric, 0) / nullif(p.amount, 0)::numeric)) = 0) <= 1
        THEN sum(p.amount) END AS amount,
      sum(p.amount_atomic::numeric)::text AS amount_atomic, max(p.settled_at) AS last_settled_at
    FROM org_payment p WHERE p.org_id = ${orgId} AND p.universe = ${universe}
    GROUP BY p.network, p.asset, p.currency
    ORDER BY payment_count DESC, p.network, p.asset, p.currency LIMIT ${limits.orgPaymentTotalsMax}`);
  return rows.map((row) => ({ ...row, lastSettledAt: row.lastSettledAt?.toISOString() ?? null }));
}

/** A page of all settlements in all universes, newest first; a null `orgId` does not filter. `total` counts all pages. */
export async function findSettlements(
  database: ReadModelDatabase,
  { orgId, limit, offset }: { orgId: string | null; limit: number; offset: number },
): Promise<{ settlements: Settlement[]; total: number }> {
  const filter = orgId === null ? empty : sql`WHERE p.org_id = ${orgId}`;
  const [counted] = await database.query<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM org_payment p ${filter}`,
  );
  const rows = await database.query<
    PaymentRow & { orgName: string | null; recordedAt: Date; callRef: string | null }
  >(sql`
    SELECT ${paymentColumns}, o.org_name, p.recorded_at, p.call_ref
    FROM org_payment p LEFT JOIN organisation o ON o.org_id = p.org_id ${filter}
    ORDER BY p.position DESC LIMIT ${limit}::int OFFSET ${offset}::int`);
  const settlements = rows.map(({ orgName, recordedAt, callRef, ...payment }) => ({
    ...toOrgPayment(payment),
    orgName,
    recordedAt: recordedAt.toISOString(),
    callRef,
  }));
  return { settlements, total: counted?.total ?? 0 };
}

/** Where the log has the payments that were asked for or made in a call, at most `paymentsOfCallMax` of them, the oldest. */
export async function findPaymentsOfCall(database: ReadModelDatabase, transactionId: string): Promise<bigint[]> {
  const rows = await database.query<{ position: bigint }>(sql`
    SELECT position FROM org_payment WHERE call_ref = ${transactionId}
    ORDER BY position LIMIT ${queryLimits.paymentsOfCallMax}::int`);
  return rows.map(({ position }) => position);
}
