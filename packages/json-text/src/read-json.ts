import {
  afterColon,
  afterComma,
  afterSpace,
  afterString,
  afterValue,
  budgetOf,
  countMember,
  enterLevel,
  isEnd,
  JsonBoundsError,
  leaveLevel,
  nameIn,
  unbounded,
  withPath,
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
  /** Levels of objects and arrays within one another, of the whole text. */
  nestingMax?: number;
  /** Members and items that are made into values. */
  valuesMax?: number;
};

const openBracket = 0x5b;
const openBrace = 0x7b;
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
 * JSON.parse. The text must be valid UTF-8. Returns undefined for a text that is not JSON; throws JsonBoundsError.
 */
export function readJson(json: Buffer, shape: JsonShape, bounds: JsonBounds = {}): unknown {
  const { membersMax = unbounded, nestingMax = unbounded, valuesMax = unbounded } = bounds;
  const budget = budgetOf(membersMax, nestingMax);
  let valuesLeft = valuesMax;
  let at = afterSpace(json, 0);

  const readValue = (within: JsonShape): unknown => {
    const isObject = json[at] === openBrace;
    const isArray = json[at] === openBracket;
    if (isObject && within.members !== undefined) return readObject(within);
    if (isArray && within.items !== undefined) return readArray(within.items);
    const start = at;
    at = afterValue(json, at, budget);
    return isObject || isArray ? asText(json.subarray(start, at)) : JSON.parse(json.toString('utf8', start, at));
  };
  const keep = (start: number): void => {
    valuesLeft -= 1;
    if (valuesLeft < 0) throw new JsonBoundsError('members', `must have at most ${valuesMax} members`, start);
  };
  /** Reads an object's members, or an array's items, one after the other. */
  const readEach = (isObject: boolean, readOne: () => void): void => {
    const opened = at;
    at = afterSpace(json, at + 1);
    if (!isEnd(json, at, isObject)) {
      enterLevel(budget, opened);
      for (;;) {
        countMember(budget, at);
        readOne();
        at = afterSpace(json, at);
        if (isEnd(json, at, isObject)) break;
        at = afterComma(json, at);
      }
      leaveLevel(budget);
    }
    at += 1;
  };
  const readObject = ({ members = {}, others }: JsonShape): object => {
    const read = new Map<string, unknown>();
    readEach(true, () => {
      const start = at;
      at = afterString(json, at);
      const name = nameIn(json, start, at);
      at = afterColon(json, at);
      const shape = Object.hasOwn(members, name) ? members[name] : others === true ? leaf : undefined;
      if (shape === undefined) {
        at = afterValue(json, at, budget);
        return;
      }
      if (!read.has(name)) keep(start);
      read.set(name, readValue(shape));
    });
    return Object.fromEntries(read);
  };
  const readArray = (items: JsonShape): unknown[] => {
    const read: unknown[] = [];
    readEach(false, () => {
      keep(at);
      read.push(readValue(items));
    });
    return read;
  };

  return withPath(json, () => {
    const value = readValue(shape);
    return afterSpace(json, at) === json.length ? value : undefined;
  });
}

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
