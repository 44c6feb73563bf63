import { nullableText } from '../text.ts';
import { z } from 'zod';
import { orgPaymentToWire, orgPaymentWire } from '../organisation/wire-output.ts';
import type { Settlement } from './rpc.ts';

/** The wire's form of a settlement as operators see it. */
export const settlementWire = orgPaymentWire
  .extend({
    org_name: nullableText.describe("The receiver's organisation."),
    recorded_at: z.string().describe('When it was put on record, RFC 3339 in UTC.'),
    call_ref: nullableText.describe('The transaction_id of the call in which the payment was asked for or made.'),
  })
  .meta({ id: 'Settlement', description: 'A payment through the registry, as its operators see it.' });

export function settlementToWire(settlement: Settlement): z.infer<typeof settlementWire> {
  return {
    ...orgPaymentToWire(settlement),
    org_name: settlement.orgName,
    recorded_at: settlement.recordedAt,
    call_ref: settlement.callRef,
  };
}
