import { setImmediate as nextRound } from 'node:timers/promises';

/** Messages up to this are planned as they come. */
export const shortMessageBytesMax = 256 * 1024;

/** The one queue of this process, which has one event loop. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does what makes values of a message. Ten MiB of it can be 140 MB as values and take a second or two, so of long messages one is looked at
 * at a time, and between two of them whatever else waits in this process has its turn: signs of life for other calls among it.
 */
export const inTurn = async <Result>(message: Uint8Array, work: () => Result): Promise<Result> => {
  if (message.byteLength <= shortMessageBytesMax) return work();
  const mine = last.then(() => nextRound()).then(work);
  // Nothing of a message is held by the queue.
  last = mine.then(
    () => undefined,
    () => undefined,
  );
  return mine;
};
