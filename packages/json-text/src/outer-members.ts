/**
 * The outermost members of a JSON object, byte for byte and without making anything of them: parsed and written again they would lose
 * what JSON.parse loses (integers beyond 2^53, `1.0`, repeated keys), and ten MiB of empty arrays would take 140 MB.
 *
 * All of it takes the bytes of JSON in UTF-8 for which `isJsonText` holds; so this scanner need not find faults, only places. Structural
 * characters are ASCII and never part of a longer UTF-8 sequence.
 */

/**
 * The bytes of the values of an object's members that have one of these names, without space around them (views, not copies). Of several
 * members of one name the last counts, as in JSON.parse. Nothing for JSON that is no object.
 */
export function memberBytes<Name extends string>(json: Buffer, names: readonly Name[]): Map<Name, Buffer> {
  const found = new Map<Name, Buffer>();
  const literals = names.map((name) => [name, Buffer.from(name)] as const);
  const start = skipSpace(json, 0);
  if (json[start] !== openBrace) return found;
  let at = skipSpace(json, start + 1);
  while (json[at] === quote) {
    const keyEnd = skipString(json, at);
    const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const valueEnd = skipValue(json, valueStart);
    const name = nameOf(json, at + 1, keyEnd - 1, literals);
    if (name !== null) found.set(name, json.subarray(valueStart, valueEnd));
    const separator = skipSpace(json, valueEnd);
    at = json[separator] === comma ? skipSpace(json, separator + 1) : json.length;
  }
  return found;
}

/** What a value is on the outside: `{}` for any object, `[]` for any array, else the value itself. */
export function outside(json: Buffer): unknown {
  const first = json[skipSpace(json, 0)];
  if (first === openBrace) return {};
  if (first === openBracket) return [];
  return JSON.parse(json.toString('utf8'));
}

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

/** Which name stands between two places, perhaps written with escapes; null for another. Nothing is made of other names. */
const nameOf = <Name extends string>(
  json: Buffer,
  start: number,
  end: number,
  literals: readonly (readonly [Name, Buffer])[],
): Name | null => {
  for (let at = start; at < end; at += 1) {
    if (json[at] !== backslash) continue;
    const written: unknown = JSON.parse(json.toString('utf8', start - 1, end + 1));
    return literals.find(([name]) => name === written)?.[0] ?? null;
  }
  const same = literals.find(([, literal]) => {
    if (literal.length !== end - start) return false;
    return json.compare(literal, 0, literal.length, start, end) === 0;
  });
  return same?.[0] ?? null;
};
