import { ensureNoDuplicates, toComponentIdentifier } from './components/identifier.ts';
import { ensureContentDigest } from './content-digest.ts';
import { signatureFault, strictSignatureFault } from './ed25519/ed25519.ts';
import { keyIdOf } from './key-id.ts';
import { signatureLimits } from './limits.ts';
import { SignatureRefusal, type SignatureRefusalReason } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import { signatureBase } from './signature-base.ts';
import { signatureLabelled } from './signature-headers.ts';
import type { Parameters } from './structured-fields/types.ts';

export type SignaturePolicy = {
  readonly label: string;
  /** Components that must be covered, without parameters. */
  readonly requiredComponents: readonly string[];
  /** How far `created` may differ from now, in either direction. */
  readonly skewSeconds: number;
};

export type VerifierContext = {
  readonly policy: SignaturePolicy;
  /** Seconds since the epoch. */
  readonly nowSeconds: number;
  /** SHA-256 of the body as received. */
  readonly bodySha256: Uint8Array;
};

/** A signature whose form and time are valid. Only its key shows whose it is: see `verifySignature`. */
export type ReadSignature = {
  readonly keyId: string;
  readonly nonce: string;
  readonly createdSeconds: number;
  readonly base: string;
  readonly signature: Uint8Array;
};

export type SignatureReading =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'read'; readonly signature: ReadSignature }
  | { readonly kind: 'refused'; readonly reason: SignatureRefusalReason; readonly subject: string | null };

/**
 * Reads the signature of a request (RFC 9421 §3.2) and checks what needs no key: headers, covered components, parameters, time and the body's digest.
 * Cheap, so that only a request that passes causes lookups of a key and a nonce. A request without a signature of the label is `unsigned`.
 */
export function readSignature(request: SignableRequest, context: VerifierContext): SignatureReading {
  try {
    return read(request, context);
  } catch (error) {
    if (error instanceof SignatureRefusal) return { kind: 'refused', reason: error.reason, subject: error.subject };
    throw error;
  }
}

/** Why a signature is not one by this key (base64url), or null if it is: strict Ed25519 over the signature base. */
export function verifySignature(
  { base, signature }: ReadSignature,
  publicKey: string,
): Promise<SignatureRefusalReason | null> {
  return signatureFault(signature, Buffer.from(base, 'latin1'), publicKey);
}

const read = (request: SignableRequest, context: VerifierContext): SignatureReading => {
  const { policy } = context;
  const labelled = signatureLabelled(request, policy.label);
  if (labelled === null) return { kind: 'unsigned' };
  const { covered, signature } = labelled;
  const fault = strictSignatureFault(signature);
  if (fault !== null) throw new SignatureRefusal(fault);

  const components = covered.items.map(toComponentIdentifier);
  ensureNoDuplicates(components);
  for (const required of policy.requiredComponents) {
    const isCovered = components.some(({ name, parameters }) => name === required && parameters.size === 0);
    if (!isCovered) throw new SignatureRefusal('component_not_covered', required);
  }
  const { parameters } = covered;
  ensureAlgorithm(parameters);
  const createdSeconds = ensureCreated(parameters, context);
  ensureNotExpired(parameters, context);
  const nonce = ensureNonce(parameters);
  const keyId = ensureKeyId(parameters);
  ensureContentDigest(request, context.bodySha256);
  // Last, because it costs the most.
  const base = signatureBase(request, { components, parameters });
  return { kind: 'read', signature: { keyId, nonce, createdSeconds, base, signature } };
};

/** The key determines the algorithm; `alg` may only agree with it. */
const ensureAlgorithm = (parameters: Parameters): void => {
  const alg = parameters.get('alg');
  if (alg !== undefined && !(alg.type === 'string' && alg.value === 'ed25519')) {
    throw new SignatureRefusal('alg_unsupported');
  }
};

const ensureCreated = (parameters: Parameters, { policy, nowSeconds }: VerifierContext): number => {
  const created = parameters.get('created');
  if (created === undefined) throw new SignatureRefusal('created_missing');
  if (created.type !== 'integer') throw new SignatureRefusal('created_not_integer');
  if (created.value < nowSeconds - policy.skewSeconds) throw new SignatureRefusal('created_too_old');
  if (created.value > nowSeconds + policy.skewSeconds) throw new SignatureRefusal('created_in_future');
  return created.value;
};

const ensureNotExpired = (parameters: Parameters, { nowSeconds }: VerifierContext): void => {
  const expires = parameters.get('expires');
  if (expires === undefined) return;
  if (expires.type !== 'integer') throw new SignatureRefusal('expires_not_integer');
  if (expires.value < nowSeconds) throw new SignatureRefusal('expired');
};

const ensureNonce = (parameters: Parameters): string => {
  const nonce = parameters.get('nonce');
  if (nonce === undefined) throw new SignatureRefusal('nonce_missing');
  if (nonce.type !== 'string' || nonce.value.length < 1 || nonce.value.length > signatureLimits.nonceCharsMax) {
    throw new SignatureRefusal('nonce_invalid');
  }
  return nonce.value;
};

const ensureKeyId = (parameters: Parameters): string => {
  const keyId = parameters.get('keyid');
  if (keyId === undefined) throw new SignatureRefusal('keyid_missing');
  const named = keyIdOf(keyId);
  if (named === null) throw new SignatureRefusal('keyid_invalid');
  return named;
};
