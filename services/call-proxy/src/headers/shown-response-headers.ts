import { createAddressMatcher } from '@agent-trust/x402';

/** Headers of an agent's answer that a caller has a use for. Everything else stays here: a header may tell where the agent lives. */
const shown = new Set([
  'a2a-extensions',
  'a2a-version',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'mcp-protocol-version',
  'mcp-session-id',
  'payment-required',
  'payment-response',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'x-payment-response',
]);

/** Headers of x402 have the registry's pay address in place of the agent's by now, and that may be on the same host. */
const rewritten = new Set(['payment-required', 'payment-response', 'x-payment-response']);

/** The headers of an agent's answer that may be shown, without any that tells the agent's host or port, in whatever writing. */
export function shownResponseHeaders(headers: Record<string, string>, endpointUrl: string): Record<string, string> {
  const address = createAddressMatcher([endpointUrl]);
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name, value]) => shown.has(name) && (rewritten.has(name) || !address.isIn(value))),
  );
}
