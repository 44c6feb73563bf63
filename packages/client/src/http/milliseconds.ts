/** The longest delay of a runtime's timer; a timer with a longer one would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * A duration in milliseconds; longer ones are cut to a timer's limit of 24 days.
 *
 * @throws TypeError for anything but a number from 0 on: it would wait not at all, or for ever.
 */
export function milliseconds(what: string, value: number): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${what} must be a number from 0 on`);
  return Math.min(value, timerMsMax);
}
