/** Who looks as often as this and is later by more was kept from running. */
const lookEveryMs = 2;
const pauseMsMin = 50;

/**
 * Measures how long something waits on a machine that is busy and pauses: the time in which this process ran, with all who take part in it.
 * @returns ends the measurement, and returns the milliseconds; a pause does not count
 */
export function startRunTime(): () => number {
  let ranMs = 0;
  let lookedAt = performance.now();
  const look = (): void => {
    const sinceMs = performance.now() - lookedAt;
    lookedAt += sinceMs;
    if (sinceMs < pauseMsMin) ranMs += sinceMs;
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    look();
    return ranMs;
  };
}
