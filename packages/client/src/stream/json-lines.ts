import { BrokenStreamError, TimeoutError } from '../errors.ts';
import type { Deadline } from '../http/deadline.ts';

export type JsonLinesOptions = {
  operation: string;
  deadline: Deadline;
  idleTimeoutMs: number;
  lineCharsMax: number;
  caller: AbortSignal | undefined;
};

/**
 * The values of JSON Lines, each read on demand. Leaving the loop cancels the request. A last line without a line break is dropped: it may be
 * incomplete.
 *
 * @throws BrokenStreamError when the stream breaks off or is not JSON, TimeoutError when it is silent for too long.
 */
export async function* jsonLines(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  { operation, deadline, idleTimeoutMs, lineCharsMax, caller }: JsonLinesOptions,
): AsyncGenerator<unknown, void, undefined> {
  const broken = (message: string, cause?: unknown): BrokenStreamError =>
    new BrokenStreamError(operation, message, { transactionId: null, cause });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    while (reader !== undefined) {
      deadline.restart(idleTimeoutMs);
      const { done, value } = await reader.read().catch((cause: unknown) => {
        caller?.throwIfAborted();
        if (deadline.hasPassed()) throw new TimeoutError(operation, idleTimeoutMs, 'no line');
        throw broken('the export broke off', cause);
      });
      if (done) return;
      deadline.pause();
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > lineCharsMax) throw broken(`a line is longer than ${lineCharsMax} characters`);
      for (const line of lines) {
        if (line === '') continue;
        let parsed: unknown;
        try {
          parsed = JSON.parse(line);
        } catch (cause) {
          throw broken('a line of the export is no JSON', cause);
        }
        yield parsed;
      }
    }
  } finally {
    deadline.end();
    // Does nothing for a stream that is over.
    reader?.cancel().catch(() => {});
  }
}
