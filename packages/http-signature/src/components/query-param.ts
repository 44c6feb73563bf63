import { signatureLimits } from '../limits.ts';
import { SignatureRefusal } from '../refusal.ts';
import type { ComponentIdentifier } from './identifier.ts';
import type { ParsedOnce } from './parsed-once.ts';

/**
 * `@query-param` (RFC 9421 §2.2.8): one parameter of the query, parsed as in a form and re-encoded. `name` contains the name in that encoding. A name
 * that occurs twice in the query cannot be covered, because it would be ambiguous.
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

/** Throws SignatureRefusal if too many parameters of the query are covered. */
export function ensureFewQueryParameters(components: readonly ComponentIdentifier[]): void {
  const covered = components.filter(({ name }) => name === '@query-param').length;
  if (covered > signatureLimits.queryParametersMax) throw new SignatureRefusal('too_many_query_parameters');
}
