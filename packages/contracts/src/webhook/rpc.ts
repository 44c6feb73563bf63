import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, nullableText, positionText } from '../text.ts';

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

const status = z.enum(['active', 'disabled']);
const described = {
  webhookId: z.string().describe('Identifies the webhook.'),
  url: z.string().describe('Where its messages are sent.'),
  agentIds: z
    .array(z.string())
    .nullable()
    .describe("Agents that it reports on; null for all of the organisation's own in production."),
  createdAt: moment('When it was registered'),
};

/** A webhook and its state. */
export const webhookView = z.object({
  ...described,
  status: status.describe('disabled after its consumer answered 410; a replay enables it again.'),
  disabledAt: nullableMoment('When it was disabled'),
  resumeFrom: positionText
    .nullable()
    .describe(
      'Of a disabled webhook: the lowest position whose message was not delivered; a replay from there misses none.',
    ),
  pending: z.int().describe('Queued messages that wait for delivery.'),
  deadLetters: z.int().describe('Messages that were given up after the last attempt.'),
  lastDeliveredAt: nullableMoment('When its consumer last accepted a message'),
  lastFailure: z
    .object({
      at: moment('When it was'),
      reason: z.string().describe('What went wrong, in a word: status_500, total_timeout and the like.'),
    })
    .nullable()
    .describe('The last attempt that failed.'),
});
export type WebhookView = z.infer<typeof webhookView>;

export const registeredWebhook = z.object({
  ...described,
  secret: z.string().describe('What its messages are signed with, in the form that Standard Webhooks libraries take.'),
});

/** An organisation's webhooks, oldest first, or the one that is named. */
export const listWebhooks = unary('trust-projection', 'list_webhooks', {
  input: z.object({ orgId: z.string(), webhookId: nullableText, atLeast: positionText.optional() }),
  output: z.object({ webhooks: z.array(webhookView) }),
});

/** A webhook as operators see it. */
export const operatorWebhook = webhookView.extend({
  orgId: z.string().describe('The organisation whose webhook it is.'),
});

/** Webhooks of all organisations, or of the one that is named, or the one that is; those for which most messages wait come first. */
export const listAllWebhooks = unary('trust-projection', 'list_all_webhooks', {
  input: z.object({ orgId: nullableText, webhookId: nullableText, limit: z.number(), offset: z.number() }),
  output: z.object({ webhooks: z.array(operatorWebhook), total: z.number() }),
});

/** What the secrets of a webhook are derived with; null if the organisation does not have the webhook. */
export const findWebhookSalt = unary('trust-projection', 'find_webhook_salt', {
  input: z.object({ ...ofWebhook, atLeast: positionText.optional() }),
  output: z.object({ secretSalt: nullableText }),
});

/** What the messages of a webhook are signed with now. */
export const webhookSecret = z.object({
  webhookId: described.webhookId,
  secret: z.string().describe('What its messages are signed with, in the form that Standard Webhooks libraries take.'),
  previousSecret: nullableText.describe(
    'What they are signed with as well while the registry replaces its secrets; null at other times. It ends without further notice.',
  ),
});

/** The types of the messages that are not about a score. */
export const webhookNoticeType = z.enum([
  'org_domain.yielded',
  'agent.suspended',
  'agent.reinstated',
  'agent.retired',
  'organisation.disabled',
  'organisation.enabled',
]);
export type WebhookNoticeType = z.infer<typeof webhookNoticeType>;

/** The type of the message that gathers the scores that one change of the organisation's record has changed. */
export const recordChangedType = 'organisation.record_changed';

const deliveryStatus = z.enum(['pending', 'dead', 'delivered']);

/** A change of a score or a notice that is to be delivered, that was given up, or that was delivered. */
export const webhookDelivery = z.object({
  webhookMessageId: z.string().describe('The webhook-id of the message, the same at every attempt.'),
  type: z
    .enum(['trust_score.changed', recordChangedType, ...webhookNoticeType.options])
    .describe('The type of the message.'),
  status: deliveryStatus.describe('Whether it is still to be delivered, was given up, or was delivered.'),
  agentId: nullableText.describe('The agent that it concerns; null for a notice of the organisation.'),
  position: positionText.describe('Log position of the event that caused it, decimal digits.'),
  trustScore: z.int().nullable().describe('The trust score from this change on, 0 to 100; null for a notice.'),
  previousScore: z
    .int()
    .nullable()
    .describe('The trust score until then; null if the score begins here, and for a notice.'),
  attempts: z.int().describe('How often it was sent.'),
  nextAttemptAt: nullableMoment(
    'When it is sent next; null if it was given up or delivered, or waits for an earlier message of the agent',
  ),
  lastAttemptAt: nullableMoment('When it was last sent'),
  lastFailure: nullableText.describe('Why the last attempt that failed did, in a word.'),
  deliveredAt: nullableMoment('When its consumer accepted it; null if it has not'),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** Undelivered changes and notices of a webhook, by log position, or those delivered last, the newest first; null if the organisation does not have the webhook. */
export const listWebhookDeliveries = unary('trust-projection', 'list_webhook_deliveries', {
  input: z.object({
    ...ofWebhook,
    status: deliveryStatus.nullable(),
    limit: z.number(),
    offset: z.number(),
  }),
  output: z.object({ page: z.object({ deliveries: z.array(webhookDelivery), total: z.number() }).nullable() }),
});

/** The messages of one log position. */
const listenedGroup = z.object({
  position: positionText,
  messages: z.array(z.object({ id: z.string(), body: z.string() })),
});
export type ListenedGroup = z.infer<typeof listenedGroup>;

/**
 * What a listener is sent after a position; waits for what is to come. `after` null, or no wait: only how far the read models are. The other
 * fields are those of pages of events. Refusal: overloaded.
 */
export const listWebhookMessages = unary('trust-projection', 'list_webhook_messages', {
  input: z.object({
    orgId: z.string(),
    listenerId: z.string(),
    agentIds: z.array(z.string()).nullable(),
    after: positionText.nullable(),
    waitMs: z.int().nonnegative(),
  }),
  output: z.object({
    groups: z.array(listenedGroup),
    upTo: positionText.nullable(),
    seenTo: positionText.nullable(),
    isCut: z.boolean(),
  }),
});
