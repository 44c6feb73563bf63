import { z } from 'zod';
import { decodeHeader, encodeHeader } from './header-codec.ts';
import { mapJson, replacementNumber } from './redaction.ts';
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
 * The payment in a request (header names in lower case), or null. The header's name alone makes no payment. If both versions are readable, 2 counts.
 */
const readablePaymentIn = (headers: Readonly<Record<string, string>>): ReadablePayment | null => {
  for (const version of [2, 1] as const) {
    const header = headers[paymentHeaders[version]];
    const value = header === undefined ? undefined : decodeHeader(header);
    if (header !== undefined && isPayment(value)) return { version, header, value };
  }
  return null;
};

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

/** The payment sent with a request, or null if there is none: see `readablePaymentIn`. */
export function sentPaymentOf(headers: Readonly<Record<string, string>>): SentPayment | null {
  const payment = readablePaymentIn(headers);
  if (payment === null) return null;
  const { version, value } = payment;
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
}

/** For JSON.stringify: the members of each object in one order. */
const sortedMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * A text that identifies the payment of a request, or null. It covers what the client signed: the rest repeats the demand, which depends on how the
 * client got it. Pay addresses are left out, hexadecimal digits are compared without case, and members have no order.
 * @param headers as the client sent them; names in lower case.
 */
export function paymentIdentityOf(headers: Readonly<Record<string, string>>, payBase: string): string | null {
  const payment = readablePaymentIn(headers);
  if (payment === null) return null;
  const neutral = (text: string): string => {
    if (replacementNumber(text, payBase) !== null) return '';
    return /^0x[0-9a-f]+$/iu.test(text) ? text.toLowerCase() : text;
  };
  const neutralLeaf = (leaf: string | number): string | number => (typeof leaf === 'string' ? neutral(leaf) : leaf);
  try {
    return JSON.stringify(mapJson(payment.value.payload, neutralLeaf, neutral), sortedMembers);
  } catch {
    return payment.header.trim();
  }
}

/**
 * The payment headers of a request as the agent expects them: repeated parts of the redacted demand become the original texts. Others stay unchanged.
 * @param headers names in lower case.
 * @param originals of the demand (`Redaction.originals`); if they are unknown, the endpoint's address replaces the first.
 */
export function restorePaymentHeaders(
  headers: Readonly<Record<string, string>>,
  payBase: string,
  originals: readonly string[],
): Record<string, string> {
  const restoreText = (text: string): string => {
    const number = replacementNumber(text, payBase);
    return number === null ? text : (originals[number - 1] ?? text);
  };
  const restoreLeaf = (leaf: string | number): string | number => (typeof leaf === 'string' ? restoreText(leaf) : leaf);
  const restoreHeader = (header: string): string => {
    const value = decodeHeader(header);
    if (value === undefined) return header;
    try {
      const restored = mapJson(value, restoreLeaf, restoreText);
      return JSON.stringify(restored) === JSON.stringify(value) ? header : encodeHeader(restored);
    } catch {
      return header;
    }
  };
  const coded: readonly string[] = Object.values(paymentHeaders);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, coded.includes(name) ? restoreHeader(value) : value]),
  );
}
