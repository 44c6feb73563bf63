import { hopByHopHeaders } from '@agent-trust/safe-fetch';

/** Headers that the registry sets itself, or that would carry the caller's credentials for the registry to the agent. */
const reserved = new Set([
  'host',
  'x-payment',
  'mcp-session-id',
  'cookie',
  'accept-encoding',
  'x-registry-transaction-id',
]);
const reservedPrefixes = ['content-', 'payment-', 'signature'];

/** Any key that the registry has ever minted, wherever it stands. */
const registryKey = /registry-(agent|org|org-sandbox)-sk-/iu;
/** What may be base64, in either alphabet, and long enough to hold the beginning of a key. */
const maybeBase64 = /[A-Za-z0-9+/_-]{20,}/gu;

/** Also where it is written percent-encoded, or in base64 as the user or password of Basic authentication. */
const holdsRegistryKey = (text: string): boolean =>
  registryKey.test(text) ||
  registryKey.test(percentDecoded(text)) ||
  (text.match(maybeBase64) ?? []).some((token) => registryKey.test(Buffer.from(token, 'base64').toString('latin1')));

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * The caller's headers that may travel to the agent; names come back in lower case. Dropped are hop-by-hop headers (those that a
 * Connection header names included), Host, Content-*, X-Payment, PAYMENT-*, Mcp-Session-Id, Cookie, Signature* and every value
 * that holds a registry key: a key sent to an agent by mistake would let it act for the caller.
 */
export const forwardableHeaders = (headers: Record<string, string>): Record<string, string> => {
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
};
