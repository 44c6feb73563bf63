import type { Cursor } from './cursor.ts';
import type { BareItem } from './types.ts';

/** RFC 9651 §4.2.3.1: which type a value is can be told by its first character. */
export function parseBareItem(cursor: Cursor): BareItem {
  const first = cursor.peek();
  if (first === '"') return { type: 'string', value: parseString(cursor) };
  if (first === ':') return { type: 'bytes', value: parseBytes(cursor) };
  if (first === '?') return { type: 'boolean', value: parseBoolean(cursor) };
  if (first === '@') return parseDate(cursor);
  if (first === '%') return { type: 'display', value: parseDisplayString(cursor) };
  if (first === '-' || isDigit(first)) return parseNumber(cursor);
  const token = cursor.take(/[A-Za-z*][A-Za-z0-9:/!#$%&'*+\-.^_`|~]*/y);
  if (token === null) throw cursor.fault('expected a value');
  return { type: 'token', value: token };
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9' && character !== '';

const parseNumber = (cursor: Cursor): BareItem => {
  const text = cursor.take(/-?\d+(?:\.\d*)?/y);
  if (text === null) throw cursor.fault('expected a digit');
  const [whole = '', fraction] = text.replace('-', '').split('.');
  const sign = text.startsWith('-') ? -1 : 1;
  if (fraction === undefined) {
    if (whole.length > 15) throw cursor.fault('an integer has at most 15 digits');
    // Adding zero turns -0, which an integer cannot be, into 0.
    return { type: 'integer', value: sign * Number(whole) + 0 };
  }
  if (whole.length > 12) throw cursor.fault('a decimal has at most 12 digits before the point');
  if (fraction.length < 1 || fraction.length > 3) throw cursor.fault('a decimal has 1 to 3 digits after the point');
  return { type: 'decimal', thousandths: sign * Number(whole + fraction.padEnd(3, '0')) + 0 };
};

const parseDate = (cursor: Cursor): BareItem => {
  cursor.expect('@');
  const number = parseNumber(cursor);
  if (number.type !== 'integer') throw cursor.fault('a date is a whole number of seconds');
  return { type: 'date', seconds: number.value };
};

const parseString = (cursor: Cursor): string => {
  const literal = cursor.take(/"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y);
  if (literal === null) throw cursor.fault('expected a string of printable ASCII in double quotes');
  return literal.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
};

/** Base64 in its one canonical form: padded, without bits to spare, so that one value has one text. */
const parseBytes = (cursor: Cursor): Uint8Array => {
  const literal = cursor.take(/:[A-Za-z0-9+/]*={0,2}:/y);
  if (literal === null) throw cursor.fault('expected base64 between colons');
  const decoded = Buffer.from(literal.slice(1, -1), 'base64');
  if (decoded.toString('base64') !== literal.slice(1, -1)) throw cursor.fault('the base64 is not in canonical form');
  return Uint8Array.from(decoded);
};

const parseBoolean = (cursor: Cursor): boolean => {
  if (cursor.skip('?1')) return true;
  if (cursor.skip('?0')) return false;
  throw cursor.fault('a boolean is ?0 or ?1');
};

const parseDisplayString = (cursor: Cursor): string => {
  const literal = cursor.take(/%"(?:[\x20\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*"/y);
  if (literal === null) throw cursor.fault('expected a display string: %"…" with %xx in lower case for other bytes');
  const octets = literal.slice(2, -1).replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  try {
    // `ignoreBOM` keeps a leading U+FEFF, which belongs to the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(octets, 'latin1'));
  } catch {
    throw cursor.fault('the display string is not UTF-8');
  }
};
