/**
 * What something is held against. NaN is neither more nor less than anything, so whatever is compared with it would pass.
 *
 * @throws TypeError for what is no number, or less than 0
 */
export function bound(what: string, value: number): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${what} must be a number from 0 on`);
  return value;
}
