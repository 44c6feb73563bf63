import { derivedValue } from './components/derived.ts';
import { fieldComponentValue } from './components/field.ts';
import type { ComponentIdentifier } from './components/identifier.ts';
import { parsedOnce } from './components/parsed-once.ts';
import { signatureLimits } from './limits.ts';
import { SignatureRefusal } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import { serialiseInnerList } from './structured-fields/serialise.ts';
import { type InnerList, item, type Parameters, string } from './structured-fields/types.ts';

export type SignatureParameters = {
  readonly components: readonly ComponentIdentifier[];
  readonly parameters: Parameters;
};

export function toInnerList({ components, parameters }: SignatureParameters): InnerList {
  return {
    kind: 'inner_list',
    items: components.map(({ name, parameters: ofComponent }) => item(string(name), ofComponent)),
    parameters,
  };
}

/**
 * The text that is signed (RFC 9421 §2.5): a line for each component, then the parameters. Made from parsed values only, so that it does not depend on
 * the notation of a header.
 *
 * @throws SignatureRefusal if a component is not in the request, not ASCII, or cannot be verified, or the text is too long.
 */
export function signatureBase(request: SignableRequest, parameters: SignatureParameters): string {
  const queryParameters = parameters.components.filter(({ name }) => name === '@query-param').length;
  if (queryParameters > signatureLimits.queryParametersMax) throw new SignatureRefusal('too_many_query_parameters');
  const parsed = parsedOnce(request);
  const lines: string[] = [];
  let chars = 0;
  for (const component of parameters.components) {
    const isDerived = component.name.startsWith('@');
    const value = isDerived ? derivedValue(component, parsed) : fieldComponentValue(component, parsed);
    // A line break inside a value could forge further lines.
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw new SignatureRefusal('component_not_ascii', component.text);
    const line = `${component.text}: ${value}`;
    chars += line.length;
    if (chars > signatureLimits.signatureBaseCharsMax) throw new SignatureRefusal('signature_base_too_large');
    lines.push(line);
  }
  lines.push(`"@signature-params": ${serialiseInnerList(toInnerList(parameters))}`);
  return lines.join('\n');
}
