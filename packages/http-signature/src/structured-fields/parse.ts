import { signatureLimits } from '../limits.ts';
import { Cursor } from './cursor.ts';
import { parseBareItem } from './parse-bare-item.ts';
import { type BareItem, type Dictionary, type InnerList, type Item, type List, type Member, item } from './types.ts';

/**
 * Parses a dictionary (RFC 9651 §4.2.2). Stricter than the RFC, where the last of several members or parameters of one name wins:
 * two readers that disagree on which one wins would see two messages under one signature, so a repeated name is refused.
 *
 * @throws StructuredFieldError
 */
export function parseDictionary(text: string): Dictionary {
  return whole(text, (cursor) => {
    const members = new Map<string, Member>();
    eachMember(cursor, () => {
      const key = parseKey(cursor);
      if (members.has(key)) throw cursor.fault(`the key ${key} is there twice`, 'duplicate_key');
      members.set(
        key,
        cursor.skip('=') ? parseMember(cursor) : item({ type: 'boolean', value: true }, parseParameters(cursor)),
      );
      return members.size;
    });
    return members;
  });
}

/** Parses a list (RFC 9651 §4.2.1). Throws StructuredFieldError. */
export function parseList(text: string): List {
  return whole(text, (cursor) => {
    const members: Member[] = [];
    eachMember(cursor, () => members.push(parseMember(cursor)));
    return members;
  });
}

/** Parses a single item (RFC 9651 §4.2.3). Throws StructuredFieldError. */
export function parseItem(text: string): Item {
  return whole(text, parseItemHere);
}

/** A field may have spaces around it, and nothing after it. */
const whole = <Value>(text: string, parse: (cursor: Cursor) => Value): Value => {
  const cursor = new Cursor(text);
  cursor.skipSpaces();
  const value = parse(cursor);
  cursor.skipSpaces();
  if (!cursor.ended) throw cursor.fault('unexpected text');
  return value;
};

/** Members between commas; `parseOne` returns how many there are by now. An empty field has none. */
const eachMember = (cursor: Cursor, parseOne: () => number): void => {
  while (!cursor.ended) {
    if (parseOne() > signatureLimits.membersMax) throw cursor.fault('too many members', 'too_large');
    cursor.skipWhitespace();
    if (cursor.ended) return;
    cursor.expect(',');
    cursor.skipWhitespace();
    if (cursor.ended) throw cursor.fault('a comma at the end');
  }
};

const parseMember = (cursor: Cursor): Member =>
  cursor.peek() === '(' ? parseInnerList(cursor) : parseItemHere(cursor);

const parseInnerList = (cursor: Cursor): InnerList => {
  cursor.expect('(');
  const items: Item[] = [];
  for (;;) {
    cursor.skipSpaces();
    if (cursor.skip(')')) return { kind: 'inner_list', items, parameters: parseParameters(cursor) };
    if (cursor.ended) throw cursor.fault('the inner list has no end');
    items.push(parseItemHere(cursor));
    if (items.length > signatureLimits.itemsMax) throw cursor.fault('too many items', 'too_large');
    if (cursor.peek() !== ' ' && cursor.peek() !== ')') throw cursor.fault('expected a space or )');
  }
};

const parseItemHere = (cursor: Cursor): Item => {
  const value = parseBareItem(cursor);
  return item(value, parseParameters(cursor));
};

const parseParameters = (cursor: Cursor): ReadonlyMap<string, BareItem> => {
  const parameters = new Map<string, BareItem>();
  while (cursor.skip(';')) {
    cursor.skipSpaces();
    const key = parseKey(cursor);
    if (parameters.has(key)) throw cursor.fault(`the parameter ${key} is there twice`, 'duplicate_parameter');
    parameters.set(key, cursor.skip('=') ? parseBareItem(cursor) : { type: 'boolean', value: true });
    if (parameters.size > signatureLimits.parametersMax) throw cursor.fault('too many parameters', 'too_large');
  }
  return parameters;
};

const parseKey = (cursor: Cursor): string => {
  const key = cursor.take(/[a-z*][a-z0-9_\-.*]*/y);
  if (key === null) throw cursor.fault('expected a key in lower case');
  return key;
};
