import { z } from 'zod';
import { type ReadablePayment, readablePaymentIn } from './readable-payment.ts';
import { atomicAmount, readRequirement, type Requirement, word } from './requirement.ts';

/** What a client's payment says of itself. Nothing of its signature is in it. */
export type SentPayment = {
  version: 1 | 2;
  scheme: string | null;
  network: string | null;
  /** v2: the requirement that the client accepted, in its own words. */
  accepted: Requirement | null;
  /** EIP-3009, scheme `exact`: the amount and payee that were signed. */
  authorization: { amountAtomic: string | null; payTo: string | null } | null;
};

const authorizationShape = z.object({
  authorization: z.object({ value: atomicAmount.optional(), to: word.optional() }),
});
const paymentShape = z.object({
  scheme: word.optional(),
  network: word.optional(),
  accepted: z.unknown().optional(),
  payload: z.unknown().optional(),
});

const read = ({ version, value }: ReadablePayment): SentPayment => {
  const parsed = paymentShape.safeParse(value);
  const { scheme, network, accepted: acceptedValue, payload } = parsed.success ? parsed.data : {};
  const accepted = acceptedValue === undefined ? null : readRequirement(acceptedValue);
  const authorized = authorizationShape.safeParse(payload);
  return {
    version,
    scheme: scheme ?? accepted?.scheme ?? null,
    network: network ?? accepted?.network ?? null,
    accepted,
    authorization: authorized.success
      ? {
          amountAtomic: authorized.data.authorization.value ?? null,
          payTo: authorized.data.authorization.to ?? null,
        }
      : null,
  };
};

/** The payment that goes out with a request, or null where none does: see `readablePaymentIn`. */
export function sentPaymentOf(headers: Readonly<Record<string, string>>): SentPayment | null {
  const payment = readablePaymentIn(headers);
  return payment === null ? null : read(payment);
}
