import { holdsRegistryKey } from '@agent-trust/contracts';
import { hopByHopHeaders } from '@agent-trust/safe-fetch';

/** Headers that the registry sets itself, or that would carry the caller's credentials for the registry to the agent. */
const reserved = new Set([
  'host',
  'x-payment',
  'mcp-session-id',
  'cookie',
  'accept-encoding',
  'x-admin-key',
  'x-registry-transaction-id',
]);
const reservedPrefixes = ['content-', 'payment-', 'signature'];

/**
 * The caller's headers that may travel to the agent; names come back in lower case. Dropped are hop-by-hop headers (those that a
 * Connection header names included), Host, X-Admin-Key, Content-*, X-Payment, PAYMENT-*, Mcp-Session-Id, Cookie, Signature* and every value
 * that holds a registry key: a key sent to an agent by mistake would let it act for the caller.
 */
export function forwardableHeaders(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const named = entries
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.split(',').map((token) => token.trim().toLowerCase()));
  const hops = new Set([...hopByHopHeaders, ...named]);
  return Object.fromEntries(
    entries.filter(
      ([name, value]) =>
        !hops.has(name) &&
        !reserved.has(name) &&
        !reservedPrefixes.some((prefix) => name.startsWith(prefix)) &&
        !holdsRegistryKey(name) &&
        !holdsRegistryKey(value),
    ),
  );
}
