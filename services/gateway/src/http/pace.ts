import type { IncomingMessage } from 'node:http';

/** A rate at which bodies of one kind are read, together; this is how one sender meets it. */
export type Pace = {
  /** Reads a body no faster, until the returned function is called. Bodies that are read at one time have equal shares. */
  slow(body: IncomingMessage): () => void;
  /** Counts bytes that were not read, towards the sender alone: nobody can make others wait by what costs the sender nothing. */
  charge(bytes: number): void;
};

/** How far readers may be ahead: timers are no more exact. */
const aheadMs = 10;
/** How long one waits at most before it reads on, however many there are: then all are faster than the rate, and none stands still. */
const waitMsMax = 1_000;

/** Senders that are remembered while something of theirs is due; the one that was heard of the longest ago goes first. */
const sendersMax = 10_000;

/** @param senderShareMax the most of the rate that one sender has, 0 to 1 */
export function createPace(bytesPerSecond: number, senderShareMax = 1): (sender: string) => Pace {
  /** When everything read so far is due, by the clock of `performance`; and of each sender. */
  let dueAt = 0;
  const dueOf = new Map<string, number>();
  const later = (due: number, bytes: number, rate: number): number => {
    const now = performance.now();
    return Math.min(Math.max(due, now) + (bytes / rate) * 1_000, now + waitMsMax);
  };
  const charge = (sender: string, bytes: number): number => {
    const due = later(dueOf.get(sender) ?? 0, bytes, bytesPerSecond * senderShareMax);
    dueOf.delete(sender);
    dueOf.set(sender, due);
    const [oldest] = dueOf.keys();
    if (dueOf.size > sendersMax && oldest !== undefined) dueOf.delete(oldest);
    return due;
  };
  return (sender) => ({
    charge: (bytes) => void charge(sender, bytes),
    slow: (body) => {
      let timer: NodeJS.Timeout | undefined;
      const onData = (chunk: Buffer): void => {
        dueAt = later(dueAt, chunk.byteLength, bytesPerSecond);
        const waitMs = Math.max(dueAt, charge(sender, chunk.byteLength)) - performance.now();
        if (waitMs < aheadMs) return;
        // Paused, no more of it is read from its connection than fits a chunk.
        body.pause();
        timer = setTimeout(() => body.resume(), waitMs);
      };
      const stop = (): void => {
        clearTimeout(timer);
        body.off('data', onData).off('close', stop);
      };
      body.on('data', onData).on('close', stop);
      return stop;
    },
  });
}
