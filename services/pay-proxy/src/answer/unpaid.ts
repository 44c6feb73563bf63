import { readWithin, type ResponseBody } from '@agent-trust/safe-fetch';
import { keepDemand } from '@agent-trust/settlements';
import { redactDemand } from '@agent-trust/x402';
import { payLimits } from '../limits.ts';
import type { Payment } from '../payment.ts';
import { shownHeaders } from './shown-headers.ts';

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
