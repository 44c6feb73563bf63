import { z } from 'zod';
import { decodeHeader } from './header-codec.ts';
import { atomicAmount, readRequirement, type Requirement, word } from './requirement.ts';

/** The request headers that carry a payment, by version of x402; names in lower case. */
export const paymentHeaders = { 1: 'x-payment', 2: 'payment-signature' } as const;

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

const read = (version: 1 | 2, header: string): SentPayment => {
  const parsed = paymentShape.safeParse(decodeHeader(header));
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

/** The payment that goes out with a request, or null where none does. One that cannot be read is a payment all the same. */
export const sentPaymentOf = (headers: Readonly<Record<string, string>>): SentPayment | null => {
  const second = headers[paymentHeaders[2]];
  if (second !== undefined) return read(2, second);
  const first = headers[paymentHeaders[1]];
  return first === undefined ? null : read(1, first);
};
