/** Why a signed request is not accepted; one word for the log. `sentences` has the text for the client. */
export type SignatureRefusalReason = keyof typeof sentences;

/** The text of each reason for the client. None reveals more than the request itself and the rules do. */
export const sentences = {
  header_missing: 'Signature and Signature-Input must both be there',
  header_too_large: 'a signature header is too long',
  malformed_signature_input: 'Signature-Input is not a dictionary of structured fields',
  malformed_signature: 'Signature is not a dictionary of structured fields',
  duplicate_label: 'a label occurs twice',
  duplicate_parameter: 'a parameter occurs twice',
  duplicate_component: 'a component is covered twice',
  label_missing: 'the label is not in both Signature and Signature-Input',
  components_not_a_list: 'the label in Signature-Input must hold an inner list of components',
  component_not_a_string: 'a component is named by a string',
  component_unsupported: 'a component or one of its parameters is not one that a request can be verified by',
  component_not_covered: 'a component that must be covered is not',
  component_absent: 'a covered component is not in the request',
  component_not_ascii: 'the value of a covered component is not ASCII: cover it with the parameter bs',
  component_malformed: 'a covered component does not have the form that its parameters ask for',
  too_many_query_parameters: 'more than 8 parameters of the query are covered: cover @query instead',
  request_target_unsupported: 'the request target has no path',
  signature_base_too_large: 'the covered components are too large together',
  signature_not_bytes: 'the label in Signature must hold a byte sequence',
  signature_length: 'an Ed25519 signature has 64 bytes',
  alg_unsupported: 'alg, where it is there, must be the string "ed25519"',
  created_missing: 'created is required',
  created_not_integer: 'created must be an integer',
  created_too_old: 'created is too long ago',
  created_in_future: 'created is in the future',
  expires_not_integer: 'expires must be an integer',
  expired: 'expires has passed',
  nonce_missing: 'nonce is required',
  nonce_invalid: 'nonce must be a string of 1 to 256 characters',
  keyid_missing: 'keyid is required',
  keyid_invalid: 'keyid must be a string (or, beyond ASCII, a display string) of 1 to 128 characters',
  content_digest_missing: 'Content-Digest is required',
  malformed_content_digest: 'Content-Digest is not a dictionary of byte sequences',
  sha256_digest_missing: 'Content-Digest must have sha-256',
  digest_mismatch: 'Content-Digest is not the digest of the body as it arrived',
  unsound_key: 'the public key is not sound',
  scalar_not_reduced: 'the second half of the signature is not below the order of the group',
  small_order_point: 'the first half of the signature is a point of small order',
  signature_mismatch: 'the signature does not fit the request and the key',
} as const;

/** Thrown inside the package only; `readSignature` turns it into a result. */
export class SignatureRefusal extends Error {
  override readonly name = 'SignatureRefusal';
  readonly reason: SignatureRefusalReason;
  /** The component, label or parameter at fault; part of the request, or null. */
  readonly subject: string | null;

  constructor(reason: SignatureRefusalReason, subject: string | null = null) {
    super(sentences[reason]);
    this.reason = reason;
    this.subject = subject;
  }
}
