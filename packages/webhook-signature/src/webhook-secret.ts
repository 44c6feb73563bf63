import { hkdfSync, randomBytes } from 'node:crypto';

const saltBytes = 24;
/** The scheme allows 24 to 64 bytes. */
const secretBytes = 32;

/** What makes the secret of one webhook differ from all others. It is public: without the registry's own secret it says nothing. */
export function mintSecretSalt(): string {
  return randomBytes(saltBytes).toString('base64url');
}

/** Values of WEBHOOK_SECRET: the present one, and while it is replaced the previous one behind it. */
export type WebhookSecrets = readonly [string, ...string[]];

/**
 * @param present WEBHOOK_SECRET
 * @param previous WEBHOOK_SECRET_PREVIOUS
 */
export function webhookSecretsFrom(present: string, previous: string | undefined): WebhookSecrets {
  return previous === undefined ? [present] : [present, previous];
}

/** The secrets of a webhook, by each of the values. */
export function webhookSecretsOf(
  [present, ...previous]: WebhookSecrets,
  webhookId: string,
  salt: string,
): WebhookSecrets {
  return [webhookSecretOf(present, webhookId, salt), ...previous.map((one) => webhookSecretOf(one, webhookId, salt))];
}

/**
 * The secret that a webhook's messages are signed with, in the text form of Standard Webhooks: `whsec_` and 32 bytes in base64. It is
 * computed whenever it is needed (HKDF, RFC 5869) and stored nowhere: the log has the salt alone.
 *
 * @param registrySecret WEBHOOK_SECRET, the same wherever secrets are shown and messages are signed.
 * @param salt as `mintSecretSalt` makes it.
 */
export function webhookSecretOf(registrySecret: string, webhookId: string, salt: string): string {
  const info = `agent-trust-registry webhook ${webhookId}`;
  const bytes = hkdfSync('sha256', registrySecret, Buffer.from(salt, 'base64url'), info, secretBytes);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}
