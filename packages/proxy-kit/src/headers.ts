import { holdsRegistryKey } from '@agent-trust/contracts';
import { hopByHopHeaders } from '@agent-trust/safe-fetch';
import { paymentResponseHeaders, type Redaction, redactPaymentHeaders } from '@agent-trust/x402';

/**
 * Set by the registry itself, or credentials for the registry, or what would reveal the caller's way to it. Answers that are searched for the
 * agent's address must not be compressed.
 */
const reservedNames = new Set([
  'host',
  'cookie',
  'accept-encoding',
  'x-admin-key',
  'x-registry-transaction-id',
  'forwarded',
  'via',
  'x-real-ip',
]);
// Signatures cover the registry's host and path, so the agent could not verify them; X-Forwarded-For and its like name the caller's address.
const reservedPrefixes = ['payment-', 'signature', 'x-forwarded-'];

/**
 * The caller's headers that are sent to the agent; names in lower case. Dropped are hop-by-hop headers, including those that a Connection header
 * names, reserved ones, and every header that holds a registry key: a key that was sent to an agent by mistake would let the agent act as the caller.
 */
export function forwardedHeaders(
  headers: Readonly<Record<string, string>>,
  { reserved, prefixes, always = [] }: { reserved: string[]; prefixes: string[]; always?: string[] },
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const named = entries
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.split(',').map((token) => token.trim().toLowerCase()));
  const dropped = [hopByHopHeaders, reservedNames, new Set([...named, ...reserved])];
  const allPrefixes = [...reservedPrefixes, ...prefixes];
  const isAllowed = (name: string): boolean =>
    always.includes(name) ||
    (!dropped.some((names) => names.has(name)) && !allPrefixes.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(
    entries.filter(([name, value]) => isAllowed(name) && !holdsRegistryKey(name) && !holdsRegistryKey(value)),
  );
}

const shown = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'www-authenticate',
]);
const coded = new Set<string>(['payment-required', ...paymentResponseHeaders]);

/**
 * The headers of an agent's answer that are shown to the caller; names in lower case. All others are withheld, because any header may reveal the
 * agent's address; so is a listed one that names the address, in any notation. In x402 headers the pay address replaces the agent's.
 */
export function shownHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
  alsoShown: readonly string[],
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const ofPayments = Object.fromEntries(entries.filter(([name]) => coded.has(name)));
  const others = entries.filter(
    ([name, value]) => (shown.has(name) || alsoShown.includes(name)) && !redaction.isNamedIn(value),
  );
  return { ...Object.fromEntries(others), ...redactPaymentHeaders(ofPayments, redaction) };
}
