import {
  afterColon,
  afterComma,
  afterSpace,
  afterString,
  afterValue,
  type Budget,
  isEnd,
  notJson,
  TooManyMembersError,
} from './scan.ts';

/** The objects and arrays that are made into values: of an object the `members`, with `others` all the rest; of an array all `items`. Others stay text. */
export type JsonShape = {
  readonly members?: Readonly<Record<string, JsonShape>>;
  readonly others?: boolean;
  readonly items?: JsonShape;
};

export type JsonBounds = {
  /** Members and items of the whole text. */
  membersMax?: number;
  /** Those that are made into values. */
  valuesMax?: number;
};

const openBracket = 0x5b;
const leaf: JsonShape = {};
const texts = new WeakMap<object, Buffer>();

/** A value that stands for the JSON of an object or array: empty to whoever looks at it, its own text to `writeJson`. */
export function asText(json: Buffer): object {
  const value = json[0] === openBracket ? [] : {};
  texts.set(value, json);
  return value;
}

/** The JSON of an object or array that `readJson` left as text, a view of what it read; undefined for any other value. */
export function jsonTextOf(value: unknown): Buffer | undefined {
  return typeof value === 'object' && value !== null ? texts.get(value) : undefined;
}

/**
 * Reads JSON once: checks all of it, and makes values of the parts that `shape` names. Of several members of one name the last counts, as in
 * JSON.parse. The text must be valid UTF-8. Returns undefined for a text that is not JSON; throws TooManyMembersError.
 */
export function readJson(json: Buffer, shape: JsonShape, { membersMax, valuesMax }: JsonBounds = {}): unknown {
  const text = json.toString('latin1');
  const budget: Budget = { left: membersMax ?? Number.POSITIVE_INFINITY };
  let valuesLeft = valuesMax ?? Number.POSITIVE_INFINITY;
  let at = afterSpace(text, 0);

  const readValue = (within: JsonShape, path: readonly string[]): unknown => {
    const isObject = text[at] === '{';
    const isArray = text[at] === '[';
    if (isObject && within.members !== undefined) return readObject(within, path);
    if (isArray && within.items !== undefined) return readArray(within.items, path);
    const start = at;
    at = afterValue(text, at, budget);
    return isObject || isArray ? asText(json.subarray(start, at)) : JSON.parse(json.toString('utf8', start, at));
  };
  const keep = (path: readonly string[]): void => {
    valuesLeft -= 1;
    if (valuesLeft < 0) throw new TooManyMembersError(path, valuesMax ?? 0);
  };
  /** Reads an object's members, or an array's items, one after the other. */
  const readEach = (isObject: boolean, readOne: () => void): void => {
    at = afterSpace(text, at + 1);
    if (!isEnd(text, at, isObject)) {
      for (;;) {
        budget.left -= 1;
        readOne();
        at = afterSpace(text, at);
        if (isEnd(text, at, isObject)) break;
        at = afterComma(text, at);
      }
    }
    at += 1;
  };
  const readObject = ({ members = {}, others }: JsonShape, path: readonly string[]): object => {
    const read = new Map<string, unknown>();
    readEach(true, () => {
      const start = at;
      at = afterString(text, at);
      const name = nameIn(json, start, at);
      at = afterColon(text, at);
      const shape = Object.hasOwn(members, name) ? members[name] : others === true ? leaf : undefined;
      if (shape === undefined) {
        at = afterValue(text, at, budget);
        return;
      }
      if (!read.has(name)) keep(path);
      read.set(name, readValue(shape, [...path, name]));
    });
    return Object.fromEntries(read);
  };
  const readArray = (items: JsonShape, path: readonly string[]): unknown[] => {
    const read: unknown[] = [];
    readEach(false, () => {
      keep(path);
      read.push(readValue(items, path));
    });
    return read;
  };

  try {
    const value = readValue(shape, []);
    return afterSpace(text, at) === text.length ? value : undefined;
  } catch (error) {
    if (error === notJson) return undefined;
    throw error;
  }
}

const plainName = /^[ !#-[\]-~]*$/u;

/** The name between two quotes. Most have no escapes, and there may be a million of them. */
const nameIn = (json: Buffer, start: number, end: number): string => {
  const written = json.toString('latin1', start + 1, end - 1);
  return plainName.test(written) ? written : (JSON.parse(json.toString('utf8', start, end)) as string);
};

/** Writes a value like JSON.stringify, and what `readJson` left as text byte for byte. */
export function writeJson(value: unknown): Buffer {
  const pieces: Uint8Array[] = [];
  let pending = '';
  const write = (item: unknown): void => {
    const text = jsonTextOf(item);
    if (text !== undefined) {
      pieces.push(Buffer.from(pending), text);
      pending = '';
    } else if (typeof item !== 'object' || item === null) {
      pending += JSON.stringify(item);
    } else {
      const isArray = Array.isArray(item);
      let before = isArray ? '[' : '{';
      for (const [name, inner] of Object.entries(item)) {
        if (inner === undefined) continue;
        pending += isArray ? before : `${before}${JSON.stringify(name)}:`;
        before = ',';
        write(inner);
      }
      pending += before === ',' ? (isArray ? ']' : '}') : isArray ? '[]' : '{}';
    }
  };
  write(value);
  return Buffer.concat([...pieces, Buffer.from(pending)]);
}
