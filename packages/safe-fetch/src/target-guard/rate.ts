/** Admissions at a steady rate, with a burst of at most one second's worth after a pause (a token bucket). */
export type Rate = {
  /** Milliseconds until the next admission; 0 if at once. */
  waitMs(now: number): number;
  take(now: number): void;
};

export function createRate(perSecondMax: number): Rate {
  const burst = Math.max(1, perSecondMax);
  let tokens = burst;
  let countedAt = Number.NEGATIVE_INFINITY;
  const tokensAt = (now: number): number =>
    // A clock that ran backwards adds nothing.
    now <= countedAt ? tokens : Math.min(burst, tokens + ((now - countedAt) / 1_000) * perSecondMax);
  return {
    waitMs: (now) => {
      const missing = 1 - tokensAt(now);
      return missing <= 0 ? 0 : Math.ceil((missing / perSecondMax) * 1_000);
    },
    take: (now) => {
      tokens = tokensAt(now) - 1;
      countedAt = now;
    },
  };
}
