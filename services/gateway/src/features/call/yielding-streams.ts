import { edgeLimits } from '../../limits.ts';

/** A stream that gives way to another call if the gateway has no other place for that, and the stream has been slow for too long. */
export type YieldingStream = {
  /** So many bytes have been taken by the client. */
  progress(bytes: number): void;
  /** The stream is over. */
  over(): void;
};

export type YieldingStreams = {
  /** @param giveWay Ends the stream and frees its place, at once. */
  add(giveWay: () => void): YieldingStream;
  /** Ends the stream that has been slow for longest. False if none is slow: then they keep their places. */
  makePlace(): boolean;
};

/**
 * Streams of agents without an organisation, which anybody can register any number of: with slow or idle ones a few would hold all places of
 * such agents. Each byte earns the time that it takes at the minimum rate, but never more than the grace, so that no rush of bytes earns
 * minutes of silence.
 *
 * @param now milliseconds of a clock that never runs backwards.
 */
export function createYieldingStreams(now: () => number = () => performance.now()): YieldingStreams {
  const { graceMs, bytesPerSecondMin } = edgeLimits.slowStreams;
  const streams = new Map<YieldingStream, { earnedUntil: number; giveWay: () => void }>();
  return {
    add: (giveWay) => {
      const state = { earnedUntil: now() + graceMs, giveWay };
      const stream: YieldingStream = {
        progress: (bytes) => {
          const earnedMs = (bytes / bytesPerSecondMin) * 1_000;
          // What a slow stream is behind is not forgiven, but is never more than the grace, so that a lively one soon is safe again.
          state.earnedUntil = Math.min(Math.max(state.earnedUntil, now() - graceMs) + earnedMs, now() + graceMs);
        },
        over: () => void streams.delete(stream),
      };
      streams.set(stream, state);
      return stream;
    },
    makePlace: () => {
      let slowest: [YieldingStream, { earnedUntil: number; giveWay: () => void }] | undefined;
      for (const one of streams) if (one[1].earnedUntil < (slowest?.[1].earnedUntil ?? now())) slowest = one;
      if (slowest === undefined) return false;
      streams.delete(slowest[0]);
      slowest[1].giveWay();
      return true;
    },
  };
}
