import { keepDemand, shownHeaders } from '@agent-trust/proxy-kit';
import { readWithin, type ResponseBody } from '@agent-trust/safe-fetch';
import { redactDemand, type Redaction } from '@agent-trust/x402';
import { payLimits } from './limits.ts';
import type { Payment } from './payment.ts';

export function shownPayHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
): Record<string, string> {
  return shownHeaders(headers, redaction, ['accept-ranges', 'content-length', 'content-range', 'vary']);
}

const ofTheBytes = ['content-length', 'content-encoding', 'content-range', 'etag', 'accept-ranges'];

/**
 * An answer without success as the payer gets it: held whole, with the pay address in place of the agent's. A demand is kept for its payment before
 * the payer sees it.
 *
 * @param withinMs from now, because the payer gets nothing until the answer is whole.
 */
export async function unpaidAnswer(
  { deps, demandPlace, redaction }: Payment,
  answer: { statusCode: number; headers: Record<string, string>; body: ResponseBody },
  withinMs: number,
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const { statusCode } = answer;
  const whole = await readWithin(answer.body, payLimits.heldAnswerBytesMax, withinMs);
  const { body, requirements } = redactDemand({ headers: answer.headers, body: whole }, redaction);
  await keepDemand(deps.demands, demandPlace, { statusCode, requirements }, redaction);
  // With the same redaction, so that equal texts have equal replacements in headers and body.
  const headers = shownPayHeaders(answer.headers, redaction);
  for (const name of ofTheBytes) delete headers[name];
  return { headers: { ...headers, 'content-length': String(body.byteLength) }, body };
}
