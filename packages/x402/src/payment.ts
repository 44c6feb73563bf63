import { z } from 'zod';
import { decodeHeader, encodeHeader } from './header-codec.ts';
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
 * A text that identifies the payment of a request, or null. It covers what the client signed: the rest repeats the demand, which depends on how the
 * client got it. Pay addresses are left out, hexadecimal digits are compared without case, and members have no order.
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
  const restoreIn = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return restoreText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= x402Limits.depthMax) throw new RangeError('a payment that is nested too deeply');
    if (Array.isArray(value)) return value.map((item) => restoreIn(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [restoreText(key), restoreIn(item, depth + 1)]),
    );
  };
  const restoreHeader = (header: string): string => {
    const value = decodeHeader(header);
    if (value === undefined) return header;
    try {
      const restored = restoreIn(value, 0);
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
