const unwrapMax = 3;
/** Shorter texts of the base64 alphabet are words. */
const base64CharsMin = 8;

const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const unwrapped = (text: string): string[] => [
  text.replaceAll(/%([0-9a-f]{2})/giu, fromHex),
  text.replaceAll(/\\u([0-9a-f]{4})/giu, fromHex),
  text.replaceAll(/&#(\d{1,6});/gu, (_, digits: string) => String.fromCodePoint(Number(digits))),
  text.replaceAll('\\/', '/').replaceAll('\\"', '"'),
  ...(text.match(/[\w+/-]{8,}/gu) ?? [])
    .filter((token) => token.length >= base64CharsMin)
    .map((token) => Buffer.from(token, 'base64').toString('latin1')),
];

/** A text as it is and in every way that it may be unwrapped: percent-encoding, the escapes of JSON and HTML, base64, and each within another. */
export function readingsOf(text: string): string[] {
  const readings = new Set([text]);
  let last = [text];
  for (let round = 0; round < unwrapMax; round += 1) {
    last = last.flatMap(unwrapped).filter((reading) => !readings.has(reading));
    for (const reading of last) readings.add(reading);
  }
  return [...readings];
}
