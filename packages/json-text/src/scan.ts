/** Characters of JSON (RFC 8259 §2), as bytes of UTF-8. */
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const backslash = 0x5c;
const letterA = 0x61;
const letterE = 0x65;
const letterU = 0x75;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lowerCase = 0x20;

const trueWord = Buffer.from('true');
const falseWord = Buffer.from('false');
const nullWord = Buffer.from('null');
const escapes: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));
/** The least character that a string may contain unescaped. */
const leastInString = 0x20;

/** Thrown for what is no JSON. One for all texts: a stack trace for each of a million of them would take seconds. */
export const notJson: SyntaxError = new SyntaxError('not JSON');

/** A text has more members, or is nested deeper, than its reader takes. */
export class JsonBoundsError extends RangeError {
  override readonly name = 'JsonBoundsError';
  /** Where the value begins that is one too many, or nested too deep. */
  readonly at: number;
  readonly kind: 'members' | 'nesting';
  /** Leads to the value with too many members, or to the one that is nested too deep. Of a long path the beginning. */
  path: readonly (string | number)[] = [];

  /** @param rule What a text must be; ends the sentence that the path begins. */
  constructor(kind: 'members' | 'nesting', rule: string, at: number) {
    super(rule);
    this.kind = kind;
    this.at = at;
  }
}

/** What may still be met of members of objects and items of arrays, and of levels of nesting, and what there was to begin with. */
export type Budget = {
  members: number;
  levels: number;
  readonly membersMax: number;
  readonly nestingMax: number;
};

/** More than any text has; counting down from Infinity would allocate a number for each member. */
export const unbounded: number = 2 ** 31 - 1;

export function budgetOf(membersMax: number, nestingMax: number): Budget {
  return { members: membersMax, levels: nestingMax, membersMax, nestingMax };
}

/** Counts one member of an object or item of an array, which begins `at`. */
export function countMember(budget: Budget, at: number): void {
  budget.members -= 1;
  if (budget.members < 0)
    throw new JsonBoundsError('members', `must have at most ${budget.membersMax} members at all levels`, at);
}

/** Enters an object or array that begins `at`, and is not empty. */
export function enterLevel(budget: Budget, at: number): void {
  budget.levels -= 1;
  if (budget.levels < 0)
    throw new JsonBoundsError('nesting', `must be nested at most ${budget.nestingMax} levels deep`, at);
}

export function leaveLevel(budget: Budget): void {
  budget.levels += 1;
}

export function afterSpace(json: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    const code = json[at];
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

const afterMark = (mark: number, json: Buffer, at: number): number => {
  if (json[at] !== mark) throw notJson;
  return afterSpace(json, at + 1);
};

export function afterString(json: Buffer, from: number): number {
  if (json[from] !== quote) throw notJson;
  for (let at = from + 1; at < json.length; at += 1) {
    const code = json[at] as number;
    if (code === quote) return at + 1;
    if (code < leastInString) throw notJson;
    if (code === backslash) at = lastOfEscape(json, at);
  }
  throw notJson;
}

const lastOfEscape = (json: Buffer, from: number): number => {
  const escaped = json[from + 1];
  if (escapes.has(escaped)) return from + 1;
  if (escaped !== letterU) throw notJson;
  for (let at = from + 2; at < from + 6; at += 1) if (!isHexDigit(json[at] ?? 0)) throw notJson;
  return from + 5;
};

const isHexDigit = (code: number): boolean =>
  (code >= zero && code <= zero + 9) || ((code | lowerCase) >= letterA && (code | lowerCase) <= letterA + 5);

/** From the colon behind a member's name to where its value begins. */
export function afterColon(json: Buffer, at: number): number {
  return afterMark(colon, json, afterSpace(json, at));
}

const afterDigits = (json: Buffer, from: number): number => {
  let at = from;
  while (isDigit(json[at])) at += 1;
  if (at === from) throw notJson;
  return at;
};

const isDigit = (code: number | undefined): boolean => code !== undefined && code >= zero && code <= zero + 9;

const afterNumber = (json: Buffer, from: number): number => {
  let at = json[from] === minus ? from + 1 : from;
  at = json[at] === zero ? at + 1 : afterDigits(json, at);
  if (json[at] === point) at = afterDigits(json, at + 1);
  if (((json[at] ?? 0) | lowerCase) !== letterE) return at;
  const sign = json[at + 1];
  return afterDigits(json, sign === plus || sign === minus ? at + 2 : at + 1);
};

const afterLiteral = (json: Buffer, from: number): number => {
  const word = json[from] === trueWord[0] ? trueWord : json[from] === falseWord[0] ? falseWord : nullWord;
  for (let index = 0; index < word.length; index += 1) if (json[from + index] !== word[index]) throw notJson;
  return from + word.length;
};

const afterScalar = (json: Buffer, at: number): number => {
  const code = json[at];
  if (code === quote) return afterString(json, at);
  return code === minus || isDigit(code) ? afterNumber(json, at) : afterLiteral(json, at);
};

/** Whether an object, else an array, ends here. */
export function isEnd(json: Buffer, at: number, isObject: boolean): boolean {
  return json[at] === (isObject ? closeBrace : closeBracket);
}

export function afterComma(json: Buffer, at: number): number {
  return afterMark(comma, json, at);
}

const doubled = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
};

/**
 * The end of the value at `from`; throws notJson or JsonBoundsError. Depth is counted without recursion, in a byte for each open value: without
 * bounds there may be ten million.
 */
export function afterValue(json: Buffer, from: number, budget: Budget = budgetOf(unbounded, unbounded)): number {
  let objects = new Uint8Array(64);
  let depth = 0;
  let at = from;
  for (;;) {
    const isObject = json[at] === openBrace;
    if (isObject || json[at] === openBracket) {
      const opened = at;
      at = afterSpace(json, at + 1);
      if (!isEnd(json, at, isObject)) {
        if (depth === objects.length) objects = doubled(objects);
        objects[depth] = isObject ? 1 : 0;
        depth += 1;
        enterLevel(budget, opened);
        countMember(budget, at);
        if (isObject) at = afterColon(json, afterString(json, at));
        continue;
      }
      at += 1;
    } else at = afterScalar(json, at);
    // A value has ended, and perhaps those around it.
    while (depth > 0) {
      at = afterSpace(json, at);
      if (!isEnd(json, at, objects[depth - 1] === 1)) break;
      depth -= 1;
      leaveLevel(budget);
      at += 1;
    }
    if (depth === 0) return at;
    at = afterComma(json, at);
    countMember(budget, at);
    if (objects[depth - 1] === 1) at = afterColon(json, afterString(json, at));
  }
}

/** True for JSON in UTF-8, as `JSON.parse` takes its text; nothing is made of it. @throws JsonBoundsError */
export function isJson(json: Buffer, budget?: Budget): boolean {
  return withPath(json, () => afterSpace(json, afterValue(json, afterSpace(json, 0), budget)) === json.length) ?? false;
}

/** What a reader of a text returns; undefined if it meets what is no JSON. @throws JsonBoundsError with its path. */
export function withPath<Result>(json: Buffer, read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error === notJson) return undefined;
    if (error instanceof JsonBoundsError) error.path = pathTo(json, error);
    throw error;
  }
}

const plainName = /^[ !#-[\]-~]*$/u;

/** The name between two quotes. Most have no escapes, and there may be a million of them. */
export function nameIn(json: Buffer, start: number, end: number): string {
  const written = json.toString('latin1', start + 1, end - 1);
  return plainName.test(written) ? written : (JSON.parse(json.toString('utf8', start, end)) as string);
}

/** Parts of a path that an error tells, and characters of each. */
const pathPartsMax = 16;
const partCharsMax = 128;

/** The names and indexes of what is open where a reader stopped; the text is JSON up to there. */
const pathTo = (json: Buffer, { at: end, kind }: JsonBoundsError): (string | number)[] => {
  const open: { isObject: boolean; nameAt: [start: number, end: number] | null; index: number; before: number }[] = [];
  let members = 0;
  for (let at = 0; at < end; ) {
    const code = json[at];
    const top = open.at(-1);
    if (code === quote) {
      const start = at;
      at = afterString(json, at);
      if (top?.isObject === true) top.nameAt ??= [start, at];
      continue;
    }
    if (code === openBrace || code === openBracket) {
      open.push({ isObject: code === openBrace, nameAt: null, index: 0, before: members });
      members += 1;
    } else if (code === closeBrace || code === closeBracket) open.pop();
    else if (code === comma && top !== undefined) {
      top.nameAt = null;
      top.index += 1;
      members += 1;
    }
    at += 1;
  }
  // Not the member itself is at fault, but the innermost value that has most of them.
  if (kind === 'members') while (members - (open.pop()?.before ?? 0) < members / 2);
  return open.slice(0, pathPartsMax).map(({ nameAt, index }) =>
    nameAt === null
      ? index
      : nameIn(json, ...nameAt)
          .slice(0, partCharsMax)
          .toWellFormed(),
  );
};
