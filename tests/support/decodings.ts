const unwrapMax = 3;
/** Shorter runs of the base64 alphabet are words. */
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

/** A text as it stands and in every decoding: percent-encoding, JSON and HTML escapes, base64, and combinations of them. */
export function decodingsOf(text: string): string[] {
  const decodings = new Set([text]);
  let last = [text];
  for (let round = 0; round < unwrapMax; round += 1) {
    last = last.flatMap(unwrapped).filter((decoding) => !decodings.has(decoding));
    for (const decoding of last) decodings.add(decoding);
  }
  return [...decodings];
}
