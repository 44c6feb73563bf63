/**
 * Cuts the `message` out of the text of a call, byte for byte: parsed and written again it would lose what JSON.parse loses (integers
 * beyond 2^53, `1.0`, repeated keys), and the agent must get what the caller sent.
 *
 * The bytes must be a JSON object in UTF-8 that JSON.parse has accepted; so this scanner need not find faults, only places. Structural
 * characters are ASCII and never part of a longer UTF-8 sequence. Of several members of the name the last counts, as in JSON.parse.
 *
 * @returns The bytes of the member's value without space around them (a view, not a copy), or null when there is no such member.
 */
export const memberBytes = (json: Buffer, name: string): Buffer | null => {
  let found: Buffer | null = null;
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] === quote) {
    const keyEnd = skipString(json, at);
    const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const valueEnd = skipValue(json, valueStart);
    if (isKey(json, at, keyEnd, name)) found = json.subarray(valueStart, valueEnd);
    const separator = skipSpace(json, valueEnd);
    at = json[separator] === comma ? skipSpace(json, separator + 1) : json.length;
  }
  return found;
};

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const skipSpace = (json: Buffer, from: number): number => {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
};

/** The place after the string that starts at `from`. */
const skipString = (json: Buffer, from: number): number => {
  let at = from + 1;
  for (;;) {
    // Strings make up most of a message, and indexOf is far faster than a loop.
    const end = json.indexOf(quote, at);
    if (end === -1) return json.length;
    let backslashes = 0;
    while (json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
    at = end + 1;
  }
};

/** The place after the value that starts at `from`; depth is counted, not recursed into. */
const skipValue = (json: Buffer, from: number): number => {
  let at = from;
  let depth = 0;
  while (at < json.length) {
    const byte = json[at];
    if (byte === quote) at = skipString(json, at);
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      at += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) {
      return at;
    } else at += 1;
    if (depth === 0 && (byte === quote || byte === closeBrace || byte === closeBracket)) return at;
  }
  return at;
};

/** Whether the string literal between two places is the name, which may be written with escapes. */
const isKey = (json: Buffer, start: number, end: number, name: string): boolean => {
  const literal = json.subarray(start, end);
  return literal.includes(backslash)
    ? JSON.parse(literal.toString('utf8')) === name
    : literal.subarray(1, -1).toString('utf8') === name;
};
