import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { nullableText, timestamp } from '../text.ts';
import { universe } from '../universe.ts';

/** Stream of one settlement; its id comes from network and transaction, so that a settlement reported twice is found there. */
export function settlementStream(settlementId: string): string {
  return `settlement-${settlementId}`;
}

/** Decimal digits of an amount in atomic units. */
const atomicAmount = z.string().regex(/^\d{1,78}$/u);

/**
 * A payment that an agent received through the registry, as the agent's answer reported it. The registry has not read any chain: it vouches
 * only for having carried payment and answer, and for a proven caller.
 */
export const settlementRecorded = defineEvent(
  'SettlementRecorded',
  {
    settlementId: z.uuid(),
    universe,
    receiverAgentId: z.string(),
    /** Who paid, if proven; see `attribution`. */
    callerAgentId: nullableText,
    /** The exchange in which the payment was requested or made. */
    callRef: nullableText,
    attribution: z.enum(['call_ref', 'bearer', 'none']),
    /** The path that the payment took. */
    via: z.enum(['pay', 'call']),
    settlementRail: z.literal('x402'),
    x402Version: z.union([z.literal(1), z.literal(2)]),
    scheme: nullableText,
    /** As the payment calls it. */
    network: nullableText,
    asset: nullableText,
    /** The symbol where it is known, else the asset's address. */
    currency: nullableText,
    decimals: z.number().int().min(0).max(36).nullable(),
    amountAtomic: atomicAmount.nullable(),
    payeeAddress: nullableText,
    payerAddress: nullableText,
    confirmationRef: nullableText,
    blockNumber: z.number().int().nonnegative().nullable(),
    /** When the answer that reported it arrived. */
    settledAt: timestamp,
  },
  {
    shownToOwner: [
      'receiverAgentId',
      'callerAgentId',
      'callRef',
      'attribution',
      'via',
      'settlementRail',
      'scheme',
      'network',
      'asset',
      'currency',
      'decimals',
      'amountAtomic',
      'payeeAddress',
      'confirmationRef',
      'blockNumber',
      'settledAt',
    ],
  },
);

export type SettlementRecorded = z.infer<typeof settlementRecorded.event>;
