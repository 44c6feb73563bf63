import { fromBase64 } from '../bytes.ts';
import { jsonObject } from '../http/refusal.ts';
import { limits } from '../limits.ts';
import type { PaymentDemand, PaymentRequirement, PaymentSettlement } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

/** The payment demands of an answer: x402 v2 in `PAYMENT-REQUIRED`, v1 in the body. The newer one first; empty if there are none. */
export function readDemands(paymentRequiredHeader: string | null, body: unknown): PaymentDemand[] {
  return [demandOf(base64Json(paymentRequiredHeader)), demandOf(typeof body === 'string' ? boundedJson(body) : body)]
    .filter((demand) => demand !== null)
    .sort((one, other) => other.x402Version - one.x402Version)
    .filter((demand, at, all) => at === 0 || demand.x402Version !== all[at - 1]?.x402Version);
}

const demandOf = (value: unknown): PaymentDemand | null => {
  if (!isObject(value)) return null;
  const { x402Version, accepts, error, resource } = value;
  if ((x402Version !== 1 && x402Version !== 2) || !Array.isArray(accepts)) return null;
  const requirements = accepts
    .slice(0, limits.requirementsMax)
    .map(requirementOf)
    .filter((requirement) => requirement !== null);
  const address = x402Version === 2 ? (isObject(resource) ? resource['url'] : null) : requirements[0]?.raw['resource'];
  return {
    x402Version,
    resource: textOr(address),
    accepts: requirements,
    error: textOr(error),
    raw: value,
  };
};

const requirementOf = (value: unknown): PaymentRequirement | null => {
  if (!isObject(value)) return null;
  const { scheme, network, asset, payTo, maxTimeoutSeconds, extra } = value;
  const amount = value['amount'] ?? value['maxAmountRequired'];
  if (![scheme, network, asset, payTo, amount].every((part) => typeof part === 'string')) return null;
  return {
    scheme: String(scheme),
    network: String(network),
    amount: String(amount),
    asset: String(asset),
    payTo: String(payTo),
    maxTimeoutSeconds: typeof maxTimeoutSeconds === 'number' ? maxTimeoutSeconds : null,
    extra: isObject(extra) ? extra : null,
    raw: value,
  };
};

/** How a payment was settled: `PAYMENT-RESPONSE` of x402 v2, `X-PAYMENT-RESPONSE` of v1; null if it was not. */
export function readSettlement(header: (name: string) => string | null): PaymentSettlement | null {
  return (
    settlementOf(2, base64Json(header('payment-response'))) ?? settlementOf(1, base64Json(header('x-payment-response')))
  );
}

const settlementOf = (x402Version: 1 | 2, value: Json | null): PaymentSettlement | null =>
  value === null
    ? null
    : {
        x402Version,
        success: value['success'] === true,
        transaction: textOr(value['transaction']),
        network: textOr(value['network']),
        payer: textOr(value['payer']),
        errorReason: textOr(value['errorReason']),
        raw: value,
      };

/**
 * The header for a payment: the payment itself contains its version.
 *
 * @throws TypeError for an invalid payment; the message does not show it.
 */
export function paymentHeader(payment: string): Record<string, string> {
  const version = base64Json(payment)?.['x402Version'];
  if (version === 1) return { 'x-payment': payment };
  if (version === 2) return { 'payment-signature': payment };
  throw new TypeError('this is no payment of x402 version 1 or 2: base64 of a JSON object with x402Version');
}

const base64Json = (text: string | null): Json | null => {
  if (text === null || text.length > limits.demandCharsMax) return null;
  const bytes = fromBase64(text.trim());
  return bytes === null ? null : jsonObject(new TextDecoder().decode(bytes));
};

const boundedJson = (text: string): Json | null => (text.length > limits.demandCharsMax ? null : jsonObject(text));

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
