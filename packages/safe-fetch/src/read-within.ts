import { OutboundError } from './outbound-error.ts';
import { type ResponseBody, readBytes } from './response-body.ts';

/**
 * A whole body that has to be there in time, however lively it comes: the times of a request bound the silence between two pieces of a body,
 * and are given before anybody knows what the answer is.
 *
 * @param withinMs from now.
 * @throws {OutboundError} `timeout`, `too_large` beyond `bytesMax`, or what reading the body throws.
 */
export async function readWithin(body: ResponseBody, bytesMax: number, withinMs: number): Promise<Uint8Array> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    body.cancel();
  }, withinMs);
  const late = (cause?: unknown): OutboundError => new OutboundError('timeout', 'total_timeout', cause);
  try {
    const bytes = await readBytes(body, bytesMax);
    // A body that is cancelled may look like one that has ended.
    if (isLate) throw late();
    return bytes;
  } catch (error) {
    throw isLate ? late(error) : error;
  } finally {
    clearTimeout(timer);
  }
}
