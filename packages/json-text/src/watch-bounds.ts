/** Characters of JSON (RFC 8259 §2), as bytes of UTF-8. */
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Bytes of a string that are looked at one by one, before the rest of it is searched: a search of few bytes takes longer. */
const searchedAfter = 32;

/**
 * Looks for the place where a JSON text that comes in pieces exceeds its bounds, so that its sender can be refused there. Takes for granted that
 * the text is JSON: a reader that is given the text up to that place finds the same excess there, or what is no JSON before.
 *
 * @returns a function that takes the next piece, and returns how many of its bytes lead up to the excess; null if there is none yet.
 */
export function watchBounds(membersMax: number, nestingMax: number): (piece: Buffer) => number | null {
  let members = 0;
  let levels = 0;
  /** Bytes of the string that has begun, since its last escape; -1 outside of strings. */
  let inString = -1;
  let isEscaped = false;
  /** An object or array has begun that may turn out to be empty. */
  let hasOpened = false;
  return (piece) => {
    let escapeAt = -1;
    let quoteAt = -1;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece[at] as number;
      if (inString >= 0) {
        inString += 1;
        if (isEscaped) {
          isEscaped = false;
          // Where escapes are many, a search for each would take longer.
          inString = 0;
        } else if (code === quote) inString = -1;
        else if (code === backslash) isEscaped = true;
        else if (inString > searchedAfter) {
          if (escapeAt < at) escapeAt = indexOrEnd(piece, backslash, at);
          if (quoteAt < at) quoteAt = indexOrEnd(piece, quote, at);
          at = Math.min(escapeAt, quoteAt) - 1;
        }
        continue;
      }
      if (code <= space) continue;
      const isClosing = code === closeBrace || code === closeBracket;
      if (hasOpened) {
        hasOpened = false;
        if (isClosing) continue;
        members += 1;
        levels += 1;
      } else if (isClosing) levels -= 1;
      if (code === comma) members += 1;
      else if (code === quote) inString = 0;
      else if (code === openBrace || code === openBracket) hasOpened = true;
      if (members > membersMax || levels > nestingMax) return at + 1;
    }
    return null;
  };
}

const indexOrEnd = (piece: Buffer, code: number, from: number): number => {
  const at = piece.indexOf(code, from);
  return at === -1 ? piece.length : at;
};
