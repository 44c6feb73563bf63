import { decodeHeader } from './header-codec.ts';

/** The request headers that carry a payment, by version of x402; names in lower case. */
export const paymentHeaders = { 1: 'x-payment', 2: 'payment-signature' } as const;

/** A payment in a header, as it was decoded. What else its client wrote into it is left as it is. */
export type ReadablePayment = {
  version: 1 | 2;
  header: string;
  value: Record<string, unknown> & { payload: Record<string, unknown> };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both versions of x402 say in every payment which one it is, and have what was signed apart. */
const isPayment = (value: unknown): value is ReadablePayment['value'] =>
  isObject(value) &&
  (value['x402Version'] === 1 || value['x402Version'] === 2) &&
  isObject(value['payload']) &&
  Object.keys(value['payload']).length > 0;

/**
 * The payment that a request carries; null where it carries none. A header is no payment by its name alone: whoever writes anything into
 * it has paid nothing. Where both versions' headers can be read, that of the second counts.
 *
 * @param headers names in lower case.
 */
export function readablePaymentIn(headers: Readonly<Record<string, string>>): ReadablePayment | null {
  for (const version of [2, 1] as const) {
    const header = headers[paymentHeaders[version]];
    const value = header === undefined ? undefined : decodeHeader(header);
    if (header !== undefined && isPayment(value)) return { version, header, value };
  }
  return null;
}
