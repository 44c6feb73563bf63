import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers of a signed message. */
export type SignedHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string };

/**
 * Signs a message by the Standard Webhooks scheme, version 1 (HMAC-SHA256 over id, timestamp and body, joined by full stops).
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param message `id` is the same at every attempt; `sentAt` is the moment of this one; `body` exactly as it is sent.
 * @param secrets as `webhookSecretOf` makes them: the webhook's, and while that is replaced its previous one. The message has a signature by
 *   each, separated by a space, and a consumer takes one that fits.
 */
export function signMessage(
  message: { id: string; sentAt: Date; body: string },
  ...secrets: readonly [string, ...string[]]
): SignedHeaders {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`, 'utf8').digest('base64')}`;
  });
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Whether one of a message's signatures is that of a secret. Its age is not checked. */
export function isSigned(
  { headers, body }: { headers: Readonly<Record<string, string | undefined>>; body: string },
  secret: string,
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  const sentAt = new Date(Number(timestamp) * 1_000);
  if (Number.isNaN(sentAt.getTime())) return false;
  const wanted = Buffer.from(signMessage({ id, sentAt, body }, secret)['webhook-signature']);
  return signatures.split(' ').some((signature) => {
    const found = Buffer.from(signature);
    return found.length === wanted.length && timingSafeEqual(found, wanted);
  });
}
