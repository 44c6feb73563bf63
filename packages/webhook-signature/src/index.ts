export { isSigned, type SignedHeaders, signMessage } from './sign-message.ts';
export {
  mintSecretSalt,
  webhookSecretOf,
  type WebhookSecrets,
  webhookSecretsFrom,
  webhookSecretsOf,
} from './webhook-secret.ts';
