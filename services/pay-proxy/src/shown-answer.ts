import { readWithin, type ResponseBody } from '@agent-trust/safe-fetch';
import { keepDemand } from '@agent-trust/settlements';
import { paymentResponseHeaders, redactDemand, redactPaymentHeaders, type Redaction } from '@agent-trust/x402';
import { payLimits } from './limits.ts';
import type { Payment } from './payment.ts';

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

/** Of a body that was changed, or may have been, these say what is not true any more. */
const ofTheBytes = ['content-length', 'content-encoding', 'content-range', 'etag', 'accept-ranges'];

/**
 * An answer that is no success, as the payer gets it: held whole, with the pay address in place of the agent's wherever that stands. What
 * a demand asks for is kept for its payment before the payer hears of it.
 *
 * @param withinMs from now: the payer hears nothing until the answer is whole, so it has no longer for that than an answer may take.
 */
export async function unpaid(
  payment: Payment,
  answer: { statusCode: number; headers: Record<string, string>; body: ResponseBody },
  withinMs: number,
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const { deps, demandPlace, redaction } = payment;
  const body = await readWithin(answer.body, payLimits.heldAnswerBytesMax, withinMs);
  const demand = redactDemand({ headers: answer.headers, body }, redaction);
  const { statusCode } = answer;
  await keepDemand(deps.demands, demandPlace, { statusCode, requirements: demand.requirements }, redaction);
  // Header by header in the same redaction, so that equal texts have equal stand-ins in header and body.
  const headers = shownHeaders(answer.headers, redaction);
  for (const name of ofTheBytes) delete headers[name];
  return { headers: { ...headers, 'content-length': String(demand.body.byteLength) }, body: demand.body };
}
