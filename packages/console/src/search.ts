/** What follows `?` in an address, as texts by name: plain, so that links can be written by hand. */
export type Search = Readonly<Record<string, string>>;

/** Reads a query. Of a name that is given twice, the last counts. */
export function parseSearch(query: string): Search {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Writes a query, with `?` unless it is empty; names without a value are left out. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') query.set(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** One of a few words, else the first of them. */
export function oneOf<const Word extends string>(text: unknown, words: readonly [Word, ...Word[]]): Word {
  return words.find((word) => word === text) ?? words[0];
}

/** A text, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
