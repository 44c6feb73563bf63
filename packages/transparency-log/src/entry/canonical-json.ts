import canonicalize from 'canonicalize';

/**
 * A JSON value in its canonical form (RFC 8785). A text with a lone surrogate, which that form refuses and a log may hold, is written as
 * ECMAScript writes it, escaped: every value has exactly one text, and two values never share one.
 */
export function canonicalJson(value: unknown): string {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (error) {
    if (!hasLoneSurrogate(value)) throw error;
    return escapedJson(value);
  }
  throw new TypeError('this is no JSON value');
}

/** JSON.stringify escapes lone surrogates; one that was there already as an escape has its backslash doubled before it. */
const hasLoneSurrogate = (value: unknown): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f]/u.test(JSON.stringify(value) ?? '');

const escapedJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(escapedJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${escapedJson(member)}`).join(',')}}`;
};
