/**
 * A number to compare with. NaN is neither more nor less than anything, so every comparison with it would pass.
 *
 * @throws TypeError for anything but a number from 0 on
 */
export function bound(what: string, value: number): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${what} must be a number from 0 on`);
  return value;
}
