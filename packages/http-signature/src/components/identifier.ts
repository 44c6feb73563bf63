import { SignatureRefusal } from '../refusal.ts';
import { serialiseItem } from '../structured-fields/serialise.ts';
import { type Item, item, type Parameters, noParameters, string } from '../structured-fields/types.ts';

/** The name of a covered component with its parameters, `"content-digest";key="sha-256"`. */
export type ComponentIdentifier = {
  readonly name: string;
  readonly parameters: Parameters;
  readonly text: string;
};

/** Parses one item of the list of covered components (RFC 9421 §2). Throws SignatureRefusal. */
export function toComponentIdentifier(named: Item): ComponentIdentifier {
  if (named.value.type !== 'string') throw new SignatureRefusal('component_not_a_string');
  return { name: named.value.value, parameters: named.parameters, text: serialiseItem(named) };
}

export function componentNamed(name: string, parameters: Parameters = noParameters): ComponentIdentifier {
  return toComponentIdentifier(item(string(name), parameters));
}

/** RFC 9421 §2: the same name with the same parameters, in any order, is the same component. */
export function ensureNoDuplicates(components: readonly ComponentIdentifier[]): void {
  const seen = new Set<string>();
  for (const { name, parameters, text } of components) {
    const inOrder = new Map([...parameters].sort(([a], [b]) => (a < b ? -1 : 1)));
    const identity = componentNamed(name, inOrder).text;
    if (seen.has(identity)) throw new SignatureRefusal('duplicate_component', text);
    seen.add(identity);
  }
}
