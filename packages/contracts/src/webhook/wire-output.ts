import { nullableText } from '../text.ts';
import { z } from 'zod';
import type { WebhookDelivery, WebhookView } from './rpc.ts';

/** The wire's form of an organisation's webhooks and of what they are sent. */

const moment = (description: string) => z.string().describe(`${description}, RFC 3339 in UTC.`);
const nullableMoment = (description: string) => nullableText.describe(`${description}, RFC 3339 in UTC.`);
const scoreAfter = z.int().describe('The trust score from this change on, 0 to 100.');
const scoreBefore = z.int().nullable().describe('The trust score until then; null where the score begins.');
const position = z.string().describe('Log position of the event that changed the score, decimal digits.');
const changedAgentId = z.string().describe('Whose score changed.');

/** What identifies a webhook and says what it is told. */
const webhookFields = {
  webhook_id: z.string().describe('Names the webhook.'),
  url: z.string().describe('Where its messages are sent.'),
  agent_ids: z
    .array(z.string())
    .nullable()
    .describe("Agents whose changes it is told of; null for all of the organisation's own in production."),
  created_at: moment('When it was registered'),
};

export const registeredWebhookWire = z
  .object({
    ...webhookFields,
    secret: z
      .string()
      .describe('What its messages are signed with, in the form that libraries of Standard Webhooks take. Shown once.'),
  })
  .meta({ id: 'RegisteredWebhook', description: 'A new webhook with its secret, which is shown once.' });

export const webhookWire = z
  .object({
    ...webhookFields,
    status: z
      .enum(['active', 'disabled'])
      .describe('disabled after its consumer answered 410; a replay switches it on again.'),
    disabled_at: nullableMoment('When it was switched off'),
    resume_from: nullableText.describe(
      'Of a webhook that is switched off: the position from which a replay leaves nothing out.',
    ),
    pending: z.int().describe('Changes that wait to be delivered, as far as they are queued.'),
    dead_letters: z.int().describe('Changes that were given up after the last attempt.'),
    last_delivered_at: nullableMoment('When its consumer last took a message'),
    last_failure: z
      .object({
        at: moment('When it was'),
        reason: z.string().describe('What went wrong, in a word: status_500, total_timeout and the like.'),
      })
      .nullable()
      .describe('The last attempt that failed.'),
  })
  .meta({ id: 'Webhook', description: 'A webhook and how it fares.' });

export const webhookDeliveryWire = z
  .object({
    webhook_message_id: z.string().describe('The webhook-id of the message, the same at every attempt.'),
    status: z.enum(['pending', 'dead']).describe('Whether it is still to be delivered, or was given up.'),
    agent_id: changedAgentId,
    position,
    trust_score: scoreAfter,
    previous_score: scoreBefore,
    attempts: z.int().describe('How often it was sent.'),
    next_attempt_at: nullableMoment(
      'When it is sent next; null where it waits for an earlier change of the agent, or was given up',
    ),
    last_attempt_at: nullableMoment('When it was last sent'),
    last_failure: nullableText.describe('Why the last attempt failed, in a word.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A change that is not delivered.' });

/** The body of a message, as a webhook's consumer gets it. */
export const webhookMessageWire = z
  .object({
    type: z.literal('trust_score.changed').describe('What happened.'),
    timestamp: moment('When the score changed'),
    data: z
      .object({
        agent_id: changedAgentId,
        trust_score: scoreAfter,
        previous_score: scoreBefore,
        trust_policy: z.string().describe('The policy that the score is computed by.'),
        position,
        cause: z
          .object({
            type: z.string().describe('Type of the event that changed the score.'),
            event_id: z.string().describe('Names that event.'),
            transaction_id: nullableText.describe('The exchange that was reviewed, of a review.'),
          })
          .describe('Why the score changed.'),
      })
      .describe('The change.'),
  })
  .meta({ id: 'WebhookMessage', description: 'What a webhook is sent when a trust score changes.' });
export type WebhookMessageWire = z.infer<typeof webhookMessageWire>;

export function webhookToWire(view: WebhookView): z.infer<typeof webhookWire> {
  return {
    webhook_id: view.webhookId,
    url: view.url,
    agent_ids: view.agentIds,
    created_at: view.createdAt,
    status: view.status,
    disabled_at: view.disabledAt,
    resume_from: view.resumeFrom,
    pending: view.pending,
    dead_letters: view.deadLetters,
    last_delivered_at: view.lastDeliveredAt,
    last_failure: view.lastFailure,
  };
}

export function webhookDeliveryToWire(delivery: WebhookDelivery): z.infer<typeof webhookDeliveryWire> {
  return {
    webhook_message_id: delivery.messageId,
    status: delivery.status,
    agent_id: delivery.agentId,
    position: delivery.position,
    trust_score: delivery.trustScore,
    previous_score: delivery.previousScore,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    last_attempt_at: delivery.lastAttemptAt,
    last_failure: delivery.lastFailure,
  };
}
