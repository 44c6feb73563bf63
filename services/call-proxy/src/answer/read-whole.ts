import { limits } from '@agent-trust/contracts';
import { type ResponseBody, readWithin } from '@agent-trust/safe-fetch';

/**
 * A whole answer, which is all that its head let the agent be: an agent that was asked for a stream and sends something else has no
 * longer for it than it has for any answer.
 *
 * @param withinMs from now.
 * @throws OutboundError `timeout`, `too_large` beyond 10 MiB, or what reading the body throws.
 */
export function readWhole(body: ResponseBody, withinMs: number): Promise<Uint8Array> {
  return readWithin(body, limits.callAnswerBytesMax, withinMs);
}
