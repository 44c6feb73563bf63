export { publicKeyBytes, publicKeyFault, signEd25519 } from './ed25519/ed25519.ts';
export {
  type ReadSignature,
  readSignature,
  type SignaturePolicy,
  type SignatureReading,
  verifySignature,
} from './read-signature.ts';
export { sentences as signatureRefusals, type SignatureRefusalReason } from './refusal.ts';
export { authorityOf, normaliseAuthority, type SignableRequest } from './request.ts';
export { signRequest } from './sign-request.ts';
