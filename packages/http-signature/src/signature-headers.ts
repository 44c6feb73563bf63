import { signatureLimits } from './limits.ts';
import { SignatureRefusal } from './refusal.ts';
import { fieldValue, type SignableRequest } from './request.ts';
import { parseDictionary } from './structured-fields/parse.ts';
import { type Dictionary, type InnerList, StructuredFieldError } from './structured-fields/types.ts';

/**
 * Reads the signature with a label; null if neither header has the label. Other signatures of the message (an older draft has its own Signature
 * header) are ignored. But if the label may be in either header, both must be valid as a whole. Throws SignatureRefusal.
 */
export function signatureLabelled(
  request: SignableRequest,
  label: string,
): { covered: InnerList; signature: Uint8Array } | null {
  const inputText = fieldValue(request, 'signature-input');
  const signatureText = fieldValue(request, 'signature');
  if (!canContain(inputText ?? '', label) && !canContain(signatureText ?? '', label)) return null;
  if (inputText === null || signatureText === null) throw new SignatureRefusal('header_missing');
  if (inputText.length > signatureLimits.signatureInputCharsMax) {
    throw new SignatureRefusal('header_too_large', 'signature-input');
  }
  if (signatureText.length > signatureLimits.signatureCharsMax)
    throw new SignatureRefusal('header_too_large', 'signature');
  const covered = parse(inputText, 'malformed_signature_input').get(label);
  const signature = parse(signatureText, 'malformed_signature').get(label);
  if (covered === undefined && signature === undefined) return null;
  if (covered === undefined || signature === undefined) throw new SignatureRefusal('label_missing', label);
  if (covered.kind !== 'inner_list') throw new SignatureRefusal('components_not_a_list', label);
  if (signature.kind !== 'item' || signature.value.type !== 'bytes') {
    throw new SignatureRefusal('signature_not_bytes', label);
  }
  return { covered, signature: signature.value.value };
}

/** Whether the label occurs anywhere in a text as a word, in any case: a text that cannot be parsed may mean anything by it. */
const canContain = (text: string, label: string): boolean =>
  text
    .toLowerCase()
    .split(/[^a-z0-9_\-.*]+/)
    .includes(label);

const faults = {
  duplicate_key: 'duplicate_label',
  duplicate_parameter: 'duplicate_parameter',
  too_large: 'header_too_large',
} as const;

const parse = (text: string, malformed: 'malformed_signature_input' | 'malformed_signature'): Dictionary => {
  try {
    return parseDictionary(text);
  } catch (error) {
    if (!(error instanceof StructuredFieldError)) throw error;
    throw new SignatureRefusal(error.fault === 'malformed' ? malformed : faults[error.fault]);
  }
};
