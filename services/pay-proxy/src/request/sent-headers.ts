import { holdsRegistryKey } from '@agent-trust/contracts';
import { hopByHopHeaders } from '@agent-trust/safe-fetch';

/** The registry's own, or what would tell the agent of the payer's way to it. */
const reserved = [
  'host',
  'cookie',
  'content-length',
  // Bodies are passed on as they come, and what the agent may not say must be readable to be found.
  'accept-encoding',
  'access-control-expose-headers',
  'forwarded',
  'via',
  'x-admin-key',
  'x-real-ip',
  'x-request-id',
  'x-registry-transaction-id',
];
// Signatures cover the registry's own host and path, so to the agent they are broken ones.
const reservedPrefixes = ['signature', 'x-forwarded-', 'payment-', 'sec-'];

/** Payments, which the prefix would drop. */
const payments = new Set(['x-payment', 'payment-signature']);

/**
 * The payer's headers that travel to the agent: end-to-end ones, its own credentials for the agent among them, and none that holds a key of
 * the registry. The gateway lets none of these pass; this holds by itself. Names in lower case.
 */
export function sentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = (headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...hopByHopHeaders, ...reserved, ...named.filter((name) => !payments.has(name))]);
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) =>
        !holdsRegistryKey(name) &&
        !holdsRegistryKey(value) &&
        (payments.has(name) || (!dropped.has(name) && !reservedPrefixes.some((prefix) => name.startsWith(prefix)))),
    ),
  );
}
