import { z } from 'zod';
import { decodeHeader } from './header-codec.ts';
import { atomicAmount, word } from './requirement.ts';

/** The answer headers that report a settlement, v2 first; names in lower case. */
export const paymentResponseHeaders = ['payment-response', 'x-payment-response'] as const;

const responseShape = z.object({
  success: z.literal(true),
  transaction: word.optional(),
  network: word.optional(),
  amount: atomicAmount.optional(),
  asset: word.optional(),
  payTo: word.optional(),
  payer: word.optional(),
  blockNumber: z.int().nonnegative().nullable().catch(null).optional(),
});
export type PaymentResponse = z.output<typeof responseShape>;

/**
 * A payment response with `success: true`, or null. If both headers are present, they must not contradict each other: if one of them reports a
 * failure, nothing is settled.
 */
export function successfulResponseIn(headers: Readonly<Record<string, string>>): PaymentResponse | null {
  const present = paymentResponseHeaders.map((name) => headers[name]).filter((header) => header !== undefined);
  const parsed = present.map((header) => responseShape.safeParse(decodeHeader(header)));
  const [first] = parsed;
  return first?.success === true && parsed.every(({ success }) => success) ? first.data : null;
}
