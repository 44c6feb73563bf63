import { type Redaction, redactPaymentHeaders, paymentResponseHeaders } from '@agent-trust/x402';

/** Headers of an agent's answer that a payer has a use for. Everything else stays here: a header may tell where the agent lives. */
const shown = new Set([
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
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
  'vary',
  'www-authenticate',
]);
const coded = new Set<string>(['payment-required', ...paymentResponseHeaders]);

/** The headers that may be shown: those of the list, without any that names the agent, and those of x402 with its address replaced. */
export function shownHeaders(headers: Readonly<Record<string, string>>, redaction: Redaction): Record<string, string> {
  const entries = Object.entries(headers);
  const ofPayments = Object.fromEntries(entries.filter(([name]) => coded.has(name)));
  const others = entries.filter(([name, value]) => shown.has(name) && !redaction.isNamedIn(value));
  return { ...Object.fromEntries(others), ...redactPaymentHeaders(ofPayments, redaction) };
}
