import { SignatureRefusal } from '../refusal.ts';
import { fieldLines } from '../request.ts';
import { parseItem, parseList } from '../structured-fields/parse.ts';
import {
  serialiseBareItem,
  serialiseDictionary,
  serialiseItem,
  serialiseList,
  serialiseMember,
} from '../structured-fields/serialise.ts';
import { bytes, StructuredFieldError } from '../structured-fields/types.ts';
import type { ComponentIdentifier } from './identifier.ts';
import type { ParsedOnce } from './parsed-once.ts';

/**
 * The value of a header field (RFC 9421 §2.1): its lines joined; with `sf` re-serialised as a structured field, with `key` one member of the
 * dictionary, with `bs` the octets of each line. `req` belongs to responses and `tr` to trailers, which arrive after a request has been answered;
 * both are refused like anything unknown.
 */
export function fieldComponentValue(component: ComponentIdentifier, parsed: ParsedOnce): string {
  const { name, parameters, text } = component;
  const form = formOf(component);
  const lines = fieldLines(parsed.request, name);
  if (lines === null) throw new SignatureRefusal('component_absent', text);
  if (form === 'octets') return lines.map((line) => serialiseBareItem(bytes(Buffer.from(line, 'latin1')))).join(', ');
  const value = lines.join(', ');
  if (form === 'as_sent') return value;
  try {
    const key = parameters.get('key');
    if (key?.type !== 'string') return serialiseKnown(component, value, parsed);
    const member = parsed.dictionary(name).get(key.value);
    if (member === undefined) throw new SignatureRefusal('component_absent', text);
    return serialiseMember(member);
  } catch (error) {
    if (error instanceof StructuredFieldError) throw new SignatureRefusal('component_malformed', text);
    throw error;
  }
}

type Form = 'as_sent' | 'structured' | 'octets';

/** The form that the parameters select. A field's name is a token in lower case (RFC 9110 §5.6.2). */
const formOf = ({ name, parameters, text }: ComponentIdentifier): Form => {
  const unsupported = new SignatureRefusal('component_unsupported', text);
  if (!/^[a-z0-9!#$%&'*+\-.^_`|~]+$/.test(name)) throw unsupported;
  for (const [parameter, value] of parameters) {
    const isFlag = value.type === 'boolean' && value.value;
    if (parameter === 'key' ? value.type !== 'string' : !isFlag) throw unsupported;
    if (parameter !== 'key' && parameter !== 'sf' && parameter !== 'bs') throw unsupported;
  }
  if (!parameters.has('bs')) return parameters.size === 0 ? 'as_sent' : 'structured';
  if (parameters.size > 1) throw unsupported;
  return 'octets';
};

/** Request fields of known structure; a field of unknown structure cannot be re-serialised (RFC 9421 §2.1.1). */
const structures: Readonly<Record<string, 'dictionary' | 'list' | 'item'>> = {
  'accept-signature': 'dictionary',
  'client-cert': 'item',
  'client-cert-chain': 'list',
  'content-digest': 'dictionary',
  priority: 'dictionary',
  'repr-digest': 'dictionary',
  signature: 'dictionary',
  'signature-input': 'dictionary',
  'want-content-digest': 'dictionary',
  'want-repr-digest': 'dictionary',
};

const serialiseKnown = ({ name, text }: ComponentIdentifier, value: string, parsed: ParsedOnce): string => {
  const structure = Object.hasOwn(structures, name) ? structures[name] : undefined;
  switch (structure) {
    case 'dictionary':
      return serialiseDictionary(parsed.dictionary(name));
    case 'list':
      return serialiseList(parseList(value));
    case 'item':
      return serialiseItem(parseItem(value));
    case undefined:
      throw new SignatureRefusal('component_unsupported', text);
    default:
      return structure satisfies never;
  }
};
