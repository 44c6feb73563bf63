/** Nested deeper, the library writes it, which does so without recursion. */
const depthMax = 32;
/** Objects have few members: sorting names by insertion is three times as fast as `sort` then. */
const insertedNamesMax = 20;
/** Texts that are their own JSON between quotes. */
const plainText = /^[ !#-[\]-~]*$/;

/**
 * The canonical JSON (RFC 8785) of what events consist of: objects and arrays of texts, numbers, booleans and null. Null for whatever else
 * there may be, which is left to the library. Each event of a log is hashed several times, and this takes a third of the library's time.
 */
export function usualJson(value: unknown, depth = 0): string | null {
  switch (typeof value) {
    case 'string':
      return textJson(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : null;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth === depthMax) return null;
      if (Array.isArray(value)) return arrayJson(value, depth + 1);
      return Object.getPrototypeOf(value) === Object.prototype ? objectJson(value, depth + 1) : null;
    default:
      return null;
  }
}

const textJson = (text: string): string | null => {
  if (plainText.test(text)) return `"${text}"`;
  return text.isWellFormed() ? JSON.stringify(text) : null;
};

const arrayJson = (items: readonly unknown[], depth: number): string | null => {
  let json = '[';
  for (let index = 0; index < items.length; index += 1) {
    const item = usualJson(items[index], depth);
    if (item === null) return null;
    json += index === 0 ? item : `,${item}`;
  }
  return `${json}]`;
};

const objectJson = (value: object, depth: number): string | null => {
  let json = '{';
  for (const name of sortedNames(value)) {
    const nameJson = textJson(name);
    const member = usualJson((value as Readonly<Record<string, unknown>>)[name], depth);
    if (nameJson === null || member === null) return null;
    json += json.length === 1 ? `${nameJson}:${member}` : `,${nameJson}:${member}`;
  }
  return `${json}}`;
};

/** By UTF-16 code units (RFC 8785 §3.2.3), as `sort` and `>` compare. */
const sortedNames = (value: object): string[] => {
  const names = Object.keys(value);
  if (names.length > insertedNamesMax) return names.sort();
  for (const [at, name] of names.entries()) {
    let to = at;
    for (let before = names[to - 1]; before !== undefined && before > name; before = names[to - 1]) {
      names[to] = before;
      to -= 1;
    }
    names[to] = name;
  }
  return names;
};
