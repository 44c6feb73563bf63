export { type ComponentIdentifier, componentNamed } from './components/identifier.ts';
export { contentDigestHeader } from './content-digest.ts';
export { publicKeyBytes, publicKeyFault } from './ed25519/public-key.ts';
export { signatureFault, signEd25519, strictSignatureFault } from './ed25519/signature.ts';
export { signatureLimits } from './limits.ts';
export {
  type ReadSignature,
  readSignature,
  type SignaturePolicy,
  type SignatureReading,
  type VerifierContext,
  verifySignature,
} from './read-signature.ts';
export { sentences as signatureRefusals, SignatureRefusal, type SignatureRefusalReason } from './refusal.ts';
export { authorityOf, normaliseAuthority, type SignableRequest } from './request.ts';
export { signatureBase } from './signature-base.ts';
export { signatureParameters, signRequest, type SigningOptions } from './sign-request.ts';
export type { BareItem, Parameters } from './structured-fields/types.ts';
