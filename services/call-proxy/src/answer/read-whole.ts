import { limits } from '@agent-trust/contracts';
import { OutboundError, type ResponseBody, readBytes } from '@agent-trust/safe-fetch';

/**
 * A whole answer, which is all that its head let the agent be: an agent that was asked for a stream and sends something else has no
 * longer for it than it has for any answer.
 *
 * @param withinMs from now.
 * @throws OutboundError `timeout`, `too_large` beyond 10 MiB, or what reading the body throws.
 */
export const readWhole = async (body: ResponseBody, withinMs: number): Promise<Uint8Array> => {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    body.cancel();
  }, withinMs);
  const late = (cause?: unknown): OutboundError => new OutboundError('timeout', 'total_timeout', cause);
  try {
    const bytes = await readBytes(body, limits.callAnswerBytesMax);
    // A body that is cancelled may look like one that has ended.
    if (isLate) throw late();
    return bytes;
  } catch (error) {
    throw isLate ? late(error) : error;
  } finally {
    clearTimeout(timer);
  }
};
