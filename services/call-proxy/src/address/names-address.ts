import { addressPattern } from './address-pattern.ts';

/** How often a text may be unwrapped: base64 inside JSON inside base64. */
const unwrapMax = 3;
/** Shorter texts of the base64 alphabet are words. */
const base64CharsMin = 8;
/** Two digits behind a colon are minutes or seconds. */
const tellingPortMin = 100;

const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** The text in other readings, escape by escape, so that a broken one hides none of the others; and what lies in base64 in it. */
const readingsOf = (text: string): string[] => [
  text.replaceAll(/%([0-9a-f]{2})/giu, fromHex),
  text.replaceAll(/\\u([0-9a-f]{4})/giu, fromHex).replaceAll('\\/', '/'),
  ...(text.match(/[\w+/-]+/gu) ?? [])
    .filter((token) => token.length >= base64CharsMin)
    .map((token) => Buffer.from(token, 'base64').toString('latin1')),
];

/** True when a header's value tells the endpoint's host or port: in clear, percent-encoded, in the escapes of JSON, or in base64. */
export const namesAddress = (value: string, endpointUrl: string): boolean => {
  const { port } = new URL(endpointUrl);
  const address = addressPattern(endpointUrl);
  const tellsPort = Number(port) >= tellingPortMin ? new RegExp(`:${port}(?!\\d)`, 'u') : null;
  const tells = (text: string, unwraps: number): boolean =>
    text.search(address) >= 0 ||
    tellsPort?.test(text) === true ||
    (unwraps > 0 && readingsOf(text).some((reading) => reading !== text && tells(reading, unwraps - 1)));
  return tells(value, unwrapMax);
};
