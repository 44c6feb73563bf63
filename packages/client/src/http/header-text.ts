/**
 * A value for a header. Checked here, because a runtime's own complaint about a header shows its value, and this may be a key.
 *
 * @throws TypeError that names the value without showing it.
 */
export function headerText(what: string, value: string, charsMax = 16 * 1024): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(value))
    throw new TypeError(`${what} must be printable ASCII without spaces around it`);
  if (value.length > charsMax) throw new TypeError(`${what} must have at most ${charsMax} characters`);
  return value;
}
