import { z } from 'zod';
import { decodeHeader } from './header-codec.ts';
import { x402Limits } from './limits.ts';
import { replacementNumber } from './redaction.ts';
import { atomicAmount, readRequirement, type Requirement, word } from './requirement.ts';

/** The request headers that carry a payment, by version of x402; names in lower case. */
export const paymentHeaders = { 1: 'x-payment', 2: 'payment-signature' } as const;

/** A decoded payment of a header. Other content of the header is left unchanged. */
type ReadablePayment = {
  version: 1 | 2;
  header: string;
  value: Record<string, unknown> & { payload: Record<string, unknown> };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every payment of both versions of x402 contains its version, and the signed part separately. */
const isPayment = (value: unknown): value is ReadablePayment['value'] =>
  isObject(value) &&
  (value['x402Version'] === 1 || value['x402Version'] === 2) &&
  isObject(value['payload']) &&
  Object.keys(value['payload']).length > 0;

/**
 * The payment in a request; null if there is none. The header's name alone makes no payment: a sender of arbitrary text has paid nothing. If the
 * headers of both versions are readable, version 2 counts.
 *
 * @param headers names in lower case.
 */
const readablePaymentIn = (headers: Readonly<Record<string, string>>): ReadablePayment | null => {
  for (const version of [2, 1] as const) {
    const header = headers[paymentHeaders[version]];
    const value = header === undefined ? undefined : decodeHeader(header);
    if (header !== undefined && isPayment(value)) return { version, header, value };
  }
  return null;
};

/** The fields of a client's payment, without its signature. */
export type SentPayment = {
  version: 1 | 2;
  scheme: string | null;
  network: string | null;
  /** v2: the accepted requirement, as the client repeats it. */
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

/** The payment sent with a request, or null if there is none: see `readablePaymentIn`. */
export function sentPaymentOf(headers: Readonly<Record<string, string>>): SentPayment | null {
  const payment = readablePaymentIn(headers);
  return payment === null ? null : read(payment);
}

/**
 * A text that identifies the payment of a request, however it is written; null if there is no readable payment. It covers what the client signed: the
 * rest of a payment repeats the demand, whose address depends on how the client got the demand and on whether it is still known. Pay addresses are
 * left out, hexadecimal digits are compared without case, and members have no order.
 *
 * @param headers as the client sent them; names in lower case.
 */
export function paymentIdentityOf(headers: Readonly<Record<string, string>>, payBase: string): string | null {
  const payment = readablePaymentIn(headers);
  if (payment === null) return null;
  const neutral = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      if (replacementNumber(value, payBase) !== null) return '';
      return /^0x[0-9a-f]+$/iu.test(value) ? value.toLowerCase() : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= x402Limits.depthMax) throw new RangeError('a payment that is nested too deeply');
    if (Array.isArray(value)) return value.map((item) => neutral(item, depth + 1));
    const members = Object.entries(value).map(([key, item]) => [String(neutral(key, depth)), neutral(item, depth + 1)]);
    return Object.fromEntries(members.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  };
  try {
    return JSON.stringify(neutral(payment.value.payload, 0));
  } catch {
    return payment.header.trim();
  }
}
