import { SignatureRefusal } from '../refusal.ts';
import type { ComponentIdentifier } from './identifier.ts';

/**
 * `@query-param` (RFC 9421 §2.2.8): one parameter of the query, read as a form is and percent-encoded anew. `name` holds the name in
 * that encoding. A name that the query has twice cannot be covered, since nobody could tell which of them was meant.
 */
export const queryParameter = (component: ComponentIdentifier, query: string | null): string => {
  const name = component.parameters.get('name');
  if (name?.type !== 'string' || component.parameters.size !== 1) {
    throw new SignatureRefusal('component_unsupported', component.text);
  }
  const values = [...new URLSearchParams(query ?? '')]
    .filter(([key]) => formEncode(key) === name.value)
    .map(([, value]) => formEncode(value));
  const [value, ...others] = values;
  if (value === undefined) throw new SignatureRefusal('component_absent', component.text);
  if (others.length > 0) throw new SignatureRefusal('component_malformed', component.text);
  return value;
};

/** Percent-encodes everything but letters, digits and `*-._`, a space as `%20`. */
const formEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
