import { signatureLimits } from '../limits.ts';
import {
  type BareItem,
  type Dictionary,
  type FieldFault,
  type InnerList,
  type Item,
  type List,
  type Member,
  StructuredFieldError,
} from './types.ts';

/**
 * Parses a dictionary (RFC 9651 §4.2.2), or throws StructuredFieldError. In the RFC the last of several members or parameters of one name wins. Two
 * readers that disagree on the winner would see two messages under one signature, so a repeated name is refused here.
 */
export function parseDictionary(text: string): Dictionary {
  const parser = new Parser(text);
  const members = new Map<string, Member>();
  parser.members(() => {
    const key = parser.key();
    if (members.has(key)) throw parser.fault(`the key ${key} is there twice`, 'duplicate_key');
    members.set(key, parser.skip('=') ? parser.member() : parser.item(booleanTrue));
    return members.size;
  });
  return members;
}

/** Parses a list (RFC 9651 §4.2.1). Throws StructuredFieldError. */
export function parseList(text: string): List {
  const parser = new Parser(text);
  const members: Member[] = [];
  parser.members(() => members.push(parser.member()));
  return members;
}

/** Parses a single item (RFC 9651 §4.2.3). Throws StructuredFieldError. */
export function parseItem(text: string): Item {
  const parser = new Parser(text);
  const item = parser.item();
  parser.end();
  return item;
}

const booleanTrue: BareItem = { type: 'boolean', value: true };

/** Parses a text from left to right. A field may have spaces around it, and nothing after it. */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#take(/ */y);
  }

  end(): void {
    this.#take(/ */y);
    if (!this.#ended) throw this.fault('unexpected text');
  }

  /** Parses members between commas, up to the end; `one` parses a member and returns how many there are now. An empty field has none. */
  members(one: () => number): void {
    while (!this.#ended) {
      if (one() > signatureLimits.membersMax) throw this.fault('too many members', 'too_large');
      this.#take(/[ \t]*/y);
      if (this.#ended) break;
      this.#expect(/,[ \t]*/y, 'a comma');
      if (this.#ended) throw this.fault('a comma at the end');
    }
  }

  member(): Member {
    return this.skip('(') ? this.#innerList() : this.item();
  }

  item(value: BareItem = this.#bareItem()): Item {
    return { kind: 'item', value, parameters: this.#parameters() };
  }

  key(): string {
    return this.#expect(/[a-z*][a-z0-9_\-.*]*/y, 'a key in lower case');
  }

  skip(expected: string): boolean {
    const isThere = this.#text.startsWith(expected, this.#at);
    if (isThere) this.#at += expected.length;
    return isThere;
  }

  fault(problem: string, fault: FieldFault = 'malformed'): StructuredFieldError {
    return new StructuredFieldError(fault, this.#at, problem);
  }

  get #ended(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Skips the match of a sticky pattern and returns it, or null if it does not match here. */
  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0];
    if (taken === undefined) return null;
    this.#at += taken.length;
    return taken;
  }

  #expect(pattern: RegExp, what: string): string {
    const taken = this.#take(pattern);
    if (taken === null) throw this.fault(`expected ${what}`);
    return taken;
  }

  #innerList(): InnerList {
    const items: Item[] = [];
    for (;;) {
      this.#take(/ */y);
      if (this.skip(')')) return { kind: 'inner_list', items, parameters: this.#parameters() };
      items.push(this.item());
      if (items.length > signatureLimits.itemsMax) throw this.fault('too many items', 'too_large');
      this.#expect(/(?=[ )])/y, 'a space or )');
    }
  }

  #parameters(): ReadonlyMap<string, BareItem> {
    const parameters = new Map<string, BareItem>();
    while (this.#take(/; */y) !== null) {
      const key = this.key();
      if (parameters.has(key)) throw this.fault(`the parameter ${key} is there twice`, 'duplicate_parameter');
      parameters.set(key, this.skip('=') ? this.#bareItem() : booleanTrue);
      if (parameters.size > signatureLimits.parametersMax) throw this.fault('too many parameters', 'too_large');
    }
    return parameters;
  }

  /** RFC 9651 §4.2.3.1: the first character determines the type. */
  #bareItem(): BareItem {
    switch (this.#text.charAt(this.#at)) {
      case '"': {
        const literal = this.#expect(
          /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y,
          'printable ASCII in double quotes',
        );
        return { type: 'string', value: literal.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') };
      }
      case ':': {
        // In the one canonical form, padded and without bits to spare, so that one value has one text.
        const literal = this.#expect(/:[A-Za-z0-9+/]*={0,2}:/y, 'base64 between colons').slice(1, -1);
        const decoded = Buffer.from(literal, 'base64');
        if (decoded.toString('base64') !== literal) throw this.fault('the base64 is not in canonical form');
        return { type: 'bytes', value: Uint8Array.from(decoded) };
      }
      case '?':
        return { type: 'boolean', value: this.#expect(/\?[01]/y, '?0 or ?1') === '?1' };
      case '@': {
        this.skip('@');
        const number = this.#number();
        if (number.type !== 'integer') throw this.fault('a date is a whole number of seconds');
        return { type: 'date', seconds: number.value };
      }
      case '%':
        return { type: 'display', value: this.#displayString() };
      default: {
        const token = this.#take(/[A-Za-z*][A-Za-z0-9:/!#$%&'*+\-.^_`|~]*/y);
        return token === null ? this.#number() : { type: 'token', value: token };
      }
    }
  }

  #number(): Extract<BareItem, { type: 'integer' | 'decimal' }> {
    const text = this.#expect(/-?\d+(?:\.\d*)?/y, 'a value');
    const [whole = '', fraction] = text.replace('-', '').split('.');
    const sign = text.startsWith('-') ? -1 : 1;
    // Adding zero turns -0, which a structured field cannot hold, into 0.
    if (fraction === undefined) {
      if (whole.length > 15) throw this.fault('an integer has at most 15 digits');
      return { type: 'integer', value: sign * Number(whole) + 0 };
    }
    if (whole.length > 12) throw this.fault('a decimal has at most 12 digits before the point');
    if (fraction.length < 1 || fraction.length > 3) throw this.fault('a decimal has 1 to 3 digits after the point');
    return { type: 'decimal', thousandths: sign * Number(whole + fraction.padEnd(3, '0')) + 0 };
  }

  #displayString(): string {
    const literal = this.#expect(
      /%"(?:[\x20\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*"/y,
      'a display string: %"…" with %xx in lower case for other bytes',
    );
    const octets = literal
      .slice(2, -1)
      .replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    try {
      // `ignoreBOM` keeps a leading U+FEFF, which belongs to the text.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(octets, 'latin1'));
    } catch {
      throw this.fault('the display string is not UTF-8');
    }
  }
}
