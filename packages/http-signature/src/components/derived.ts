import { SignatureRefusal } from '../refusal.ts';
import { authorityOf, requestTargetOf, type SignableRequest } from '../request.ts';
import type { ComponentIdentifier } from './identifier.ts';
import type { ParsedOnce } from './parsed-once.ts';
import { queryParameter } from './query-param.ts';

/**
 * The value of a component derived from the request line and the target (RFC 9421 §2.2). `@status` belongs to responses; an unknown component cannot
 * be verified, so it is refused.
 */
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
