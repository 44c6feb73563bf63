import type { Settlement } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { paymentColumns, type PaymentRow, toOrgPayment } from './queries.ts';

type Row = PaymentRow & { orgName: string | null; recordedAt: Date; callRef: string | null };

/** `total` counts all that there are (of the organisation, where one is named), on whatever page. */
export type SettlementPage = { settlements: Settlement[]; total: number };

/** A page of all settlements in all universes, newest first. A null `orgId` does not filter. */
export async function findSettlements(
  database: ReadModelDatabase,
  { orgId, limit, offset }: { orgId: string | null; limit: number; offset: number },
): Promise<SettlementPage> {
  const filter = orgId === null ? '' : 'WHERE p.org_id = $1';
  const filterValues = orgId === null ? [] : [orgId];
  const name = orgId === null ? 'settlements' : 'settlements-of-organisation';
  const [counted] = await database.query<{ settlements: number }>({
    name: `${name}-count`,
    text: `SELECT count(*)::int AS settlements FROM org_payment p ${filter}`,
    values: filterValues,
  });
  const rows = await database.query<Row>({
    name,
    text: `SELECT ${paymentColumns}, o.org_name AS "orgName", p.recorded_at AS "recordedAt", p.call_ref AS "callRef"
      FROM org_payment p LEFT JOIN organisation o ON o.org_id = p.org_id ${filter}
      ORDER BY p.position DESC LIMIT $${filterValues.length + 1}::int OFFSET $${filterValues.length + 2}::int`,
    values: [...filterValues, limit, offset],
  });
  const settlements = rows.map(({ orgName, recordedAt, callRef, ...payment }) => ({
    ...toOrgPayment(payment),
    orgName,
    recordedAt: recordedAt.toISOString(),
    callRef,
  }));
  return { settlements, total: counted?.settlements ?? 0 };
}
