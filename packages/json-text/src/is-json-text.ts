/** Characters of JSON (RFC 8259 §2), as UTF-16 code units. */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const firstPrintable = 0x20;

const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const unicodeEscape = 'u'.charCodeAt(0);
const fourHexDigits = /[0-9a-f]{4}/iuy;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iuy;
const literal = /true|false|null/uy;
const none = -1;

const match = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : none;
};

const afterSpace = (text: string, from: number): number => {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
};

/** The end of the string that begins at `from`, or -1. */
const afterString = (text: string, from: number): number => {
  if (text.charCodeAt(from) !== quote) return none;
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < firstPrintable) return none;
    if (code !== backslash) continue;
    at += 1;
    const escaped = text.charCodeAt(at);
    if (escaped === unicodeEscape) {
      const end = match(fourHexDigits, text, at + 1);
      if (end === none) return none;
      at = end - 1;
    } else if (!escapes.has(escaped)) return none;
  }
  return none;
};

const afterScalar = (text: string, at: number): number => {
  if (text.charCodeAt(at) === quote) return afterString(text, at);
  const afterNumber = match(number, text, at);
  return afterNumber === none ? match(literal, text, at) : afterNumber;
};

/** The end of a member's name and colon, where its value begins; or -1. */
const afterName = (text: string, from: number): number => {
  const end = afterString(text, from);
  if (end === none) return none;
  const at = afterSpace(text, end);
  return text.charCodeAt(at) === colon ? afterSpace(text, at + 1) : none;
};

/** Which of the open values are objects, innermost last: a byte each, since there may be ten million. */
const createNesting = (): { open(isObject: boolean): void; close(): void; isObject(): boolean; depth(): number } => {
  let kinds = new Uint8Array(64);
  let depth = 0;
  return {
    open: (isObject) => {
      if (depth === kinds.length) {
        const larger = new Uint8Array(kinds.length * 2);
        larger.set(kinds);
        kinds = larger;
      }
      kinds[depth] = isObject ? 1 : 0;
      depth += 1;
    },
    close: () => {
      depth -= 1;
    },
    isObject: () => kinds[depth - 1] === 1,
    depth: () => depth,
  };
};

/**
 * True for JSON (RFC 8259).
 *
 * @param onMember is told where the name of each member of the outermost value lies, from its quote on.
 */
const scan = (text: string, onMember: (from: number) => void): boolean => {
  const nesting = createNesting();
  let at = afterSpace(text, 0);
  for (;;) {
    // Here a value begins.
    const code = text.charCodeAt(at);
    if (code === openBracket || code === openBrace) {
      const isObject = code === openBrace;
      const inside = afterSpace(text, at + 1);
      if (text.charCodeAt(inside) === (isObject ? closeBrace : closeBracket)) {
        at = inside + 1;
      } else {
        nesting.open(isObject);
        if (isObject && nesting.depth() === 1) onMember(inside);
        at = isObject ? afterName(text, inside) : inside;
        if (at === none) return false;
        continue;
      }
    } else {
      at = afterScalar(text, at);
      if (at === none) return false;
    }
    // Here one has ended, and perhaps those around it.
    at = afterSpace(text, at);
    while (nesting.depth() > 0 && text.charCodeAt(at) === (nesting.isObject() ? closeBrace : closeBracket)) {
      nesting.close();
      at = afterSpace(text, at + 1);
    }
    if (nesting.depth() === 0) return at === text.length;
    if (text.charCodeAt(at) !== comma) return false;
    at = afterSpace(text, at + 1);
    if (!nesting.isObject()) continue;
    if (nesting.depth() === 1) onMember(at);
    at = afterName(text, at);
    if (at === none) return false;
  }
};

const ignore = (): void => undefined;

/**
 * True for JSON, as `JSON.parse` takes it. Nothing is made of it: what an agent sends to be shown as it is may be ten million brackets,
 * whose values would take a gigabyte.
 */
export function isJsonText(text: string): boolean {
  return scan(text, ignore);
}

/** True for the JSON of an object that has a member of one of these names, which must need no escapes. Nothing is made of it either. */
export function hasMember(text: string, names: readonly string[]): boolean {
  const quoted = names.map((name) => JSON.stringify(name));
  let found = false;
  const isJson = scan(text, (from) => {
    found ||= quoted.some((name) => text.startsWith(name, from));
  });
  return isJson && found;
}
