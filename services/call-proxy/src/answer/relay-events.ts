import type { RecordedCall } from '../call.ts';
import type { Contacted } from '../contact-agent.ts';
import { type AnsweredEnd, endAnswered } from '../exchange/record-call.ts';
import { failCall } from '../fail-call.ts';
import { createDigest } from './digest.ts';

/**
 * Passes events on as they come and closes the record when they end, break off, or the caller leaves.
 *
 * @param ended is told how the exchange's end stands in the log before the iteration ends.
 */
export async function* relayEvents(
  call: RecordedCall,
  contacted: Contacted & { kind: 'events' },
  ended: (end: AnsweredEnd) => void,
): AsyncGenerator<Uint8Array> {
  const { exchange } = call;
  const digest = createDigest();
  let open = true;
  try {
    for await (const chunk of contacted.events) {
      digest.add(chunk);
      yield chunk;
    }
    open = false;
    const answer = { statusCode: contacted.statusCode, responseDigest: digest.hex(), responseBytes: digest.bytes() };
    ended(await endAnswered(call, answer));
  } catch (error) {
    if (!open) throw error;
    open = false;
    throw await failCall(call, error);
  } finally {
    // Left by the reader, without an error: the caller is gone.
    if (open) await exchange?.fail('cancelled');
  }
}
