import { replacementNumber } from './redaction.ts';
import { x402Limits } from './limits.ts';
import { readablePaymentIn } from './readable-payment.ts';

/**
 * What makes the payment of a request the same one however it is written, as text; null where there is none that can be read. That is what the client
 * signed: the rest of a payment repeats the demand, and which address stands there depends on the way that the demand took to the client
 * and on whether it is still known. A pay address counts as none, hexadecimal digits are the same in capitals, and members have no order.
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
