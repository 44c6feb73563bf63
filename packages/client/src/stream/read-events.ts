import { BrokenStreamError, TimeoutError } from '../errors.ts';
import type { Deadline } from '../http/deadline.ts';
import { eventParser, type StreamEvent } from './event-parser.ts';

export type EventStreamOptions = {
  operation: string;
  transactionId: string | null;
  deadline: Deadline;
  idleTimeoutMs: number;
  eventBytesMax: number;
  caller: AbortSignal | undefined;
  /** Called with the last id, once the events before it were consumed: also for a stream without events so far. */
  onId?: (id: string) => void;
};

/**
 * The events of an answer, each read on demand, so that a slow reader slows the agent down. Leaving the loop cancels the request, and with it the
 * agent's.
 *
 * @throws BrokenStreamError when the stream breaks off, TimeoutError when it is silent for too long.
 */
export async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  { operation, transactionId, deadline, idleTimeoutMs, eventBytesMax, caller, onId }: EventStreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  // The parser removes a byte order mark: the decoder would remove another one.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parser = eventParser();
  try {
    while (reader !== undefined) {
      deadline.restart(idleTimeoutMs);
      const { done, value } = await reader.read().catch((cause: unknown) => {
        caller?.throwIfAborted();
        if (deadline.hasPassed()) throw new TimeoutError(operation, idleTimeoutMs, 'no event');
        throw new BrokenStreamError(operation, 'the stream broke off', { transactionId, cause });
      });
      if (done) return;
      // No timeout runs while the reader handles an event.
      deadline.pause();
      yield* parser.push(decoder.decode(value, { stream: true }));
      if (parser.lastId !== null) onId?.(parser.lastId);
      if (parser.pendingChars > eventBytesMax)
        throw new BrokenStreamError(operation, `an event is longer than ${eventBytesMax} bytes`, { transactionId });
    }
  } finally {
    deadline.end();
    // Does nothing for a stream that is over.
    reader?.cancel().catch(() => {});
  }
}
