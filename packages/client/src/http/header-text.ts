/**
 * A value for a header. Checked here, because a runtime's own error for an invalid header shows its value, which may be a key.
 *
 * @throws TypeError that names the header without showing its value.
 */
export function headerText(what: string, value: string, charsMax = 16 * 1024): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(value))
    throw new TypeError(`${what} must be printable ASCII without spaces around it`);
  if (value.length > charsMax) throw new TypeError(`${what} must have at most ${charsMax} characters`);
  return value;
}
