/** One number in each base that addresses are written in. */
const inEachBase = (value: number): string => `(?:0*${value}|0x0*${value.toString(16)}|0+${value.toString(8)})`;

const byte = 256;

/**
 * An IPv4 address in the writings that stand for it without being what a URL shows: as one number, as four that are not decimal, and, only
 * before a port, since they look like a version, as two or three (`127.1:80`).
 *
 * @param host a host as a URL has it.
 * @returns a pattern for text in lower case, each writing being a word of its own; null for any other host.
 */
export function numberPattern(host: string): RegExp | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/u.test(host)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = host.split('.').map(Number);
  const lowTwo = c * byte + d;
  const lowThree = b * byte ** 2 + lowTwo;
  const dotted = (...parts: number[]): string => parts.map(inEachBase).join(String.raw`\.`);
  const whole = `${inEachBase(a * byte ** 3 + lowThree)}|${dotted(a, b, c, d)}`;
  const short = `(?:${dotted(a, lowThree)}|${dotted(a, b, lowTwo)}):\\d`;
  return new RegExp(String.raw`(?<![\w.])(?:(?:${whole})(?!\w|\.\d)|${short})`, 'u');
}
