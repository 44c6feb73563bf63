/** The longest wait that a runtime's timer keeps; a longer one would ring at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * A length of time in milliseconds; what is beyond a timer's reach is 24 days.
 *
 * @throws TypeError for what is no number, or less than 0: it would be waited for not at all, or for ever.
 */
export function milliseconds(what: string, value: number): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${what} must be a number from 0 on`);
  return Math.min(value, timerMsMax);
}
