import { ByteBudget } from '@agent-trust/limits';
import { announcedLength, keepDemand, readInTurn, shownHeaders } from '@agent-trust/proxy-kit';
import { OutboundError, type ResponseBody } from '@agent-trust/safe-fetch';
import { redactDemand, type Redaction } from '@agent-trust/x402';
import { payLimits } from './limits.ts';
import type { Payment } from './payment.ts';

export function shownPayHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
): Record<string, string> {
  return shownHeaders(headers, redaction, ['accept-ranges', 'content-length', 'content-range', 'vary']);
}

/** Answers that this process holds whole. */
const heldAnswers = new ByteBudget();

const ofTheBytes = ['content-length', 'content-encoding', 'content-range', 'etag', 'accept-ranges'];

/**
 * An answer without success as the payer gets it: held whole, with the pay address in place of the agent's. A demand is kept for its payment before
 * the payer sees it.
 *
 * @param withinMs from now, because the payer gets nothing until the answer is whole.
 */
export async function unpaidAnswer(
  { deps, input, context, demandPlace, redaction }: Payment,
  answer: { statusCode: number; headers: Record<string, string>; body: ResponseBody },
  withinMs: number,
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const { statusCode } = answer;
  const { shortBytesMax, perAgentMax, allMax } = payLimits.heldAnswers;
  const shares = [
    { key: `agent ${input.agentId}`, max: perAgentMax },
    { key: 'all', max: allMax },
  ];
  const bytesMax = payLimits.heldAnswerBytesMax;
  const whole = await readInTurn(answer.body, {
    announcedBytes: announcedLength(answer.headers),
    bytesMax,
    shortBytesMax,
    withinMs,
    hold: async (bytes, waitMs) => {
      const room = heldAnswers.take(shares, Math.min(bytes ?? bytesMax, bytesMax), waitMs);
      context.onOver(
        await room.catch((error: unknown) => Promise.reject(new OutboundError('aborted', 'no_room', error))),
      );
    },
  });
  const { body, requirements } = redactDemand({ headers: answer.headers, body: whole }, redaction);
  await keepDemand(deps.demands, demandPlace, { statusCode, requirements }, redaction);
  // With the same redaction, so that equal texts have equal replacements in headers and body.
  const headers = shownPayHeaders(answer.headers, redaction);
  for (const name of ofTheBytes) delete headers[name];
  return { headers: { ...headers, 'content-length': String(body.byteLength) }, body };
}
