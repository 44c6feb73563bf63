import { decodeHeader, encodeHeader } from './header-codec.ts';
import { replacementNumber } from './redaction.ts';
import { x402Limits } from './limits.ts';
import { paymentHeaders } from './payment.ts';

/**
 * The payment headers of a request as the agent expects them: where the payment repeats the redacted demand, the original texts are restored. A
 * header that is unreadable, or in which nothing was replaced, is passed on unchanged.
 *
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
