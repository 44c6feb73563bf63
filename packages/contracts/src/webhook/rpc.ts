import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, positionText } from '../text.ts';

const ofWebhook = { orgId: z.string(), webhookId: z.string() };

/** Registers a webhook under an id that the gateway chose. Refusal: webhook_limit_reached. */
export const registerWebhook = unary('registry-write', 'register_webhook', {
  input: z.object({
    ...ofWebhook,
    url: z.string(),
    agentIds: z.array(z.string()).nullable(),
    secretSalt: z.string(),
    actor,
  }),
  output: z.object({ registeredAt: z.string(), position: positionText }),
});

/** Ends a webhook. Refusal: webhook_not_found, for another organisation's too. */
export const deleteWebhook = unary('registry-write', 'delete_webhook', {
  input: z.object({ ...ofWebhook, actor }),
  output: z.object({ deletedAt: z.string(), position: positionText }),
});

/** Sends changes again, from a log position on. Refusals: webhook_not_found, validation_failed for a position beyond the log. */
export const replayWebhook = unary('registry-write', 'replay_webhook', {
  input: z.object({ ...ofWebhook, fromPosition: positionText, actor }),
  output: z.object({ requestedAt: z.string(), position: positionText }),
});

/** A webhook and how it fares. */
export const webhookView = z.object({
  webhookId: z.string(),
  url: z.string(),
  agentIds: z.array(z.string()).nullable(),
  createdAt: z.string(),
  status: z.enum(['active', 'disabled']),
  disabledAt: nullableText,
  /** Lowest position whose change was not delivered when the webhook was switched off. */
  resumeFrom: positionText.nullable(),
  pending: z.number(),
  deadLetters: z.number(),
  lastDeliveredAt: nullableText,
  lastFailure: z.object({ at: z.string(), reason: z.string() }).nullable(),
});
export type WebhookView = z.infer<typeof webhookView>;

/** An organisation's webhooks, oldest first, or the one that is named. */
export const listWebhooks = unary('trust-projection', 'list_webhooks', {
  input: z.object({ orgId: z.string(), webhookId: nullableText, atLeast: positionText.optional() }),
  output: z.object({ webhooks: z.array(webhookView) }),
});

/** A change that is to be delivered, or that was given up. */
export const webhookDelivery = z.object({
  messageId: z.string(),
  status: z.enum(['pending', 'dead']),
  agentId: z.string(),
  position: positionText,
  trustScore: z.number(),
  previousScore: z.number().nullable(),
  attempts: z.number(),
  nextAttemptAt: nullableText,
  lastAttemptAt: nullableText,
  lastFailure: nullableText,
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** What is not delivered of a webhook, by log position; null for a webhook that the organisation does not have. */
export const listWebhookDeliveries = unary('trust-projection', 'list_webhook_deliveries', {
  input: z.object({
    ...ofWebhook,
    status: z.enum(['pending', 'dead']).nullable(),
    limit: z.number(),
    offset: z.number(),
  }),
  output: z.object({ page: z.object({ deliveries: z.array(webhookDelivery), total: z.number() }).nullable() }),
});
