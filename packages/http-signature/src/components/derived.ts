import { SignatureRefusal } from '../refusal.ts';
import { authorityOf, requestTargetOf, type SignableRequest } from '../request.ts';
import type { ComponentIdentifier } from './identifier.ts';
import type { ParsedOnce } from './parsed-once.ts';

/** The value of a component of the request line or the target (RFC 9421 §2.2). `@status` belongs to responses and is refused like an unknown one. */
export function derivedValue(component: ComponentIdentifier, parsed: ParsedOnce): string {
  const { name } = component;
  if (name === '@query-param') return queryParameter(component, parsed);
  const derive = derivations.get(name);
  if (derive === undefined || component.parameters.size > 0) {
    throw new SignatureRefusal('component_unsupported', component.text);
  }
  return derive(parsed.request);
}

const derivations: ReadonlyMap<string, (request: SignableRequest) => string> = new Map([
  ['@method', (request) => request.method],
  [
    '@target-uri',
    (request) => {
      const { scheme, authority, path, query } = requestTargetOf(request);
      return `${scheme}://${authority}${path}${query ?? ''}`;
    },
  ],
  ['@authority', authorityOf],
  ['@scheme', (request) => requestTargetOf(request).scheme],
  ['@request-target', (request) => request.requestTarget],
  ['@path', (request) => requestTargetOf(request).path],
  // For a target without a query, the value is that of an empty query (RFC 9421 §2.2.7).
  ['@query', (request) => requestTargetOf(request).query ?? '?'],
]);

/** `@query-param` (RFC 9421 §2.2.8): one parameter of the query as a form, re-encoded like `name`; a name that occurs twice cannot be covered. */
const queryParameter = (component: ComponentIdentifier, parsed: ParsedOnce): string => {
  const name = component.parameters.get('name');
  if (name?.type !== 'string' || component.parameters.size !== 1) {
    throw new SignatureRefusal('component_unsupported', component.text);
  }
  const [value, ...others] = parsed.queryParameters().get(name.value) ?? [];
  if (value === undefined) throw new SignatureRefusal('component_absent', component.text);
  if (others.length > 0) throw new SignatureRefusal('component_malformed', component.text);
  return value;
};
