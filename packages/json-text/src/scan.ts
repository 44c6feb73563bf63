/** Characters of JSON (RFC 8259 §2), as UTF-16 code units. */
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const backslash = 0x5c;
const letterE = 0x65;
const letterU = 0x75;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lowerCase = 0x20;

// Regular expressions are fast on long texts, and slow to begin with: short scalars are walked by hand.
// oxlint-disable-next-line no-control-regex -- JSON forbids controls in strings.
const unescaped = /[^"\\\u0000-\u001f]*/y;
const fourHexDigits = /[0-9a-f]{4}/iy;
const literal = /true|false|null/y;
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** Thrown for what is no JSON. One for all texts: a stack trace for each of a million of them would take seconds. */
export const notJson: SyntaxError = new SyntaxError('not JSON');

/** A text has more members than its reader takes, in the value that `path` leads to. */
export class TooManyMembersError extends RangeError {
  override readonly name = 'TooManyMembersError';
  readonly path: readonly string[];
  readonly membersMax: number;

  constructor(path: readonly string[], membersMax: number) {
    super(`more than ${membersMax} members`);
    this.path = path;
    this.membersMax = membersMax;
  }
}

const afterMatch = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw notJson;
  return pattern.lastIndex;
};

export function afterSpace(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

const afterMark = (mark: number, text: string, at: number): number => {
  if (text.charCodeAt(at) !== mark) throw notJson;
  return afterSpace(text, at + 1);
};

export function afterString(text: string, from: number): number {
  if (text.charCodeAt(from) !== quote) throw notJson;
  for (let at = from + 1; ; ) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) {
      const escaped = text.charCodeAt(at + 1);
      if (escapes.has(escaped)) at += 2;
      else if (escaped === letterU) at = afterMatch(fourHexDigits, text, at + 2);
      else throw notJson;
    } else {
      const end = afterMatch(unescaped, text, at);
      if (end === at) throw notJson;
      at = end;
    }
  }
}

/** From the colon behind a member's name to where its value begins. */
export function afterColon(text: string, at: number): number {
  return afterMark(colon, text, afterSpace(text, at));
}

const afterDigits = (text: string, from: number): number => {
  let at = from;
  for (let code = text.charCodeAt(at); code >= zero && code <= zero + 9; code = text.charCodeAt(at)) at += 1;
  if (at === from) throw notJson;
  return at;
};

const afterNumber = (text: string, from: number): number => {
  let at = text.charCodeAt(from) === minus ? from + 1 : from;
  at = text.charCodeAt(at) === zero ? at + 1 : afterDigits(text, at);
  if (text.charCodeAt(at) === point) at = afterDigits(text, at + 1);
  if ((text.charCodeAt(at) | lowerCase) !== letterE) return at;
  const sign = text.charCodeAt(at + 1);
  return afterDigits(text, sign === plus || sign === minus ? at + 2 : at + 1);
};

const afterScalar = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  if (code === quote) return afterString(text, at);
  return code === minus || (code >= zero && code <= zero + 9) ? afterNumber(text, at) : afterMatch(literal, text, at);
};

/** Whether an object, else an array, ends here. */
export function isEnd(text: string, at: number, isObject: boolean): boolean {
  return text.charCodeAt(at) === (isObject ? closeBrace : closeBracket);
}

export function afterComma(text: string, at: number): number {
  return afterMark(comma, text, at);
}

const doubled = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
};

/** Members of objects and items of arrays that may still be met. */
export type Budget = { left: number };

/**
 * The end of the value at `from`; throws notJson or TooManyMembersError. UTF-8 bytes may be read as Latin-1: only strings contain others than ASCII.
 * Depth is counted without recursion, in a byte for each open value, because there may be ten million.
 */
export function afterValue(text: string, from: number, budget: Budget = { left: Number.POSITIVE_INFINITY }): number {
  let { left } = budget;
  let objects = new Uint8Array(64);
  let depth = 0;
  let at = from;
  for (;;) {
    const isObject = text.charCodeAt(at) === openBrace;
    if (isObject || text.charCodeAt(at) === openBracket) {
      at = afterSpace(text, at + 1);
      if (!isEnd(text, at, isObject)) {
        if (depth === objects.length) objects = doubled(objects);
        objects[depth] = isObject ? 1 : 0;
        depth += 1;
        left -= 1;
        if (isObject) at = afterColon(text, afterString(text, at));
        continue;
      }
      at += 1;
    } else at = afterScalar(text, at);
    // A value has ended, and perhaps those around it.
    while (depth > 0) {
      at = afterSpace(text, at);
      if (!isEnd(text, at, objects[depth - 1] === 1)) break;
      depth -= 1;
      at += 1;
    }
    if (left < 0) throw new TooManyMembersError([], budget.left);
    if (depth === 0) {
      budget.left = left;
      return at;
    }
    at = afterComma(text, at);
    left -= 1;
    if (objects[depth - 1] === 1) at = afterColon(text, afterString(text, at));
  }
}

/** True for JSON, as `JSON.parse` takes it; nothing is made of it. */
export function isJsonText(text: string): boolean {
  try {
    return afterSpace(text, afterValue(text, afterSpace(text, 0))) === text.length;
  } catch (error) {
    if (error === notJson) return false;
    throw error;
  }
}
