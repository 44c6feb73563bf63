export { type SignedHeaders, signMessage } from './sign-message.ts';
export { mintSecretSalt, webhookSecretOf } from './webhook-secret.ts';
