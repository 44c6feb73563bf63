import { z } from 'zod';
import { decodeHeader } from './header-codec.ts';
import { atomicAmount, word } from './requirement.ts';

/** The answer headers that tell how a payment was settled, v2 first; names in lower case. */
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
 * A payment response that says `success: true`, or null. With both headers present they must not contradict each other: an answer of
 * which one half says that the payment failed settles nothing.
 */
export function successfulResponseIn(headers: Readonly<Record<string, string>>): PaymentResponse | null {
  const present = paymentResponseHeaders.map((name) => headers[name]).filter((header) => header !== undefined);
  const parsed = present.map((header) => responseShape.safeParse(decodeHeader(header)));
  const [first] = parsed;
  return first?.success === true && parsed.every(({ success }) => success) ? first.data : null;
}
