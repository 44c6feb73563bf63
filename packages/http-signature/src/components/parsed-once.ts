import { fieldValue, requestTargetOf, type SignableRequest } from '../request.ts';
import { parseDictionary } from '../structured-fields/parse.ts';
import type { Dictionary } from '../structured-fields/types.ts';

/** A request of which each part is parsed at most once, however many components are about it: whoever covers them need not be anybody. */
export type ParsedOnce = {
  readonly request: SignableRequest;
  /** Values by name, both percent-encoded anew; a name that the query has twice has two. */
  queryParameters(): ReadonlyMap<string, readonly string[]>;
  /** A field as the dictionary that it is, empty where there is no such field. Throws StructuredFieldError. */
  dictionary(fieldName: string): Dictionary;
};

export function parsedOnce(request: SignableRequest): ParsedOnce {
  let query: ReadonlyMap<string, readonly string[]> | undefined;
  const dictionaries = new Map<string, Dictionary>();
  return {
    request,
    queryParameters: () => (query ??= readQuery(requestTargetOf(request).query ?? '')),
    dictionary: (fieldName) => {
      const known = dictionaries.get(fieldName);
      if (known !== undefined) return known;
      const parsed = parseDictionary(fieldValue(request, fieldName) ?? '');
      dictionaries.set(fieldName, parsed);
      return parsed;
    },
  };
}

/** A query, read as a form is (RFC 9421 §2.2.8). */
const readQuery = (query: string): Map<string, string[]> => {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const encoded = formEncode(name);
    const values = parameters.get(encoded);
    if (values === undefined) parameters.set(encoded, [formEncode(value)]);
    else values.push(formEncode(value));
  }
  return parameters;
};

/** Percent-encodes everything but letters, digits and `*-._`, a space as `%20`. */
const formEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
