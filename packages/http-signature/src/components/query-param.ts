import { signatureLimits } from '../limits.ts';
import { SignatureRefusal } from '../refusal.ts';
import type { ComponentIdentifier } from './identifier.ts';
import type { ParsedOnce } from './parsed-once.ts';

/**
 * `@query-param` (RFC 9421 §2.2.8): one parameter of the query, read as a form is and percent-encoded anew. `name` holds the name in
 * that encoding. A name that the query has twice cannot be covered, since nobody could tell which of them was meant.
 */
export function queryParameter(component: ComponentIdentifier, parsed: ParsedOnce): string {
  const name = component.parameters.get('name');
  if (name?.type !== 'string' || component.parameters.size !== 1) {
    throw new SignatureRefusal('component_unsupported', component.text);
  }
  const [value, ...others] = parsed.queryParameters().get(name.value) ?? [];
  if (value === undefined) throw new SignatureRefusal('component_absent', component.text);
  if (others.length > 0) throw new SignatureRefusal('component_malformed', component.text);
  return value;
}

/** Throws SignatureRefusal where more parameters of the query are covered than anybody needs to. */
export function ensureFewQueryParameters(components: readonly ComponentIdentifier[]): void {
  const covered = components.filter(({ name }) => name === '@query-param').length;
  if (covered > signatureLimits.queryParametersMax) throw new SignatureRefusal('too_many_query_parameters');
}
