import { fieldValue, requestTargetOf, type SignableRequest } from '../request.ts';
import { parseDictionary } from '../structured-fields/parse.ts';
import type { Dictionary } from '../structured-fields/types.ts';

/** A request of which each part is parsed at most once, however many components refer to it: anybody can send a list of covered components. */
export type ParsedOnce = {
  readonly request: SignableRequest;
  /** Values by name, both re-encoded; a name that occurs twice in the query has two values. */
  queryParameters(): ReadonlyMap<string, readonly string[]>;
  /** A field parsed as a dictionary, empty if the field is absent. Throws StructuredFieldError. */
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

/** A query, parsed as a form (RFC 9421 §2.2.8). */
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
