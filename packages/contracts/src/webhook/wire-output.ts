import { z } from 'zod';
import { moment, nullableText, positionText } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { limits } from '../limits.ts';
import {
  operatorWebhook,
  recordChangedType,
  registeredWebhook,
  webhookDelivery,
  webhookNoticeType,
  webhookSecret,
  webhookView,
} from './rpc.ts';

/** The wire's form of an organisation's webhooks and of their messages. */

export const registeredWebhookWire = onWire(registeredWebhook).meta({
  id: 'RegisteredWebhook',
  description: 'A new webhook with its secret.',
});
export const webhookSecretWire = onWire(webhookSecret).meta({
  id: 'WebhookSecret',
  description: 'The secret of a webhook, and its previous one while that still counts.',
});
export const webhookWire = onWire(webhookView).meta({ id: 'Webhook', description: 'A webhook and its state.' });
export const operatorWebhookWire = onWire(operatorWebhook).meta({
  id: 'OperatorWebhook',
  description: 'A webhook and its state, as operators see it: without its secret.',
});
export const webhookDeliveryWire = onWire(webhookDelivery).meta({
  id: 'WebhookDelivery',
  description: 'A message that is not delivered, or one that was delivered lately.',
});

const position = positionText.describe('Log position of the event that caused the message, decimal digits.');
const cause = z
  .object({
    type: z
      .string()
      .describe(
        "Type of the event that caused it; `record` if it changed the record of the agent's organisation, and by that its score.",
      ),
    event_id: z.string().describe('Id of that event.'),
    transaction_id: nullableText.describe('For a review: the exchange that was reviewed.'),
  })
  .describe('Why the message is sent.');

const scoreMessage = z.object({
  type: z.literal('trust_score.changed').describe('What happened.'),
  timestamp: moment('When the score changed'),
  data: z
    .object({
      agent_id: z.string().describe('The agent whose score changed.'),
      trust_score: z.int().describe('The trust score from this change on, 0 to 100.'),
      previous_score: z.int().nullable().describe('The trust score until then; null if the score begins here.'),
      trust_policy: z.string().describe('The policy that the score is computed by.'),
      position,
      cause,
    })
    .describe('The change.'),
});

const recordChange = z
  .object({
    org_id: z.string().describe('The organisation whose record changed: that of the webhook.'),
    record: z.number().describe('The record from this change on, 0 to 75.'),
    previous_record: z.number().describe('The record until then.'),
    trust_policy: z.string().describe('The policy that the record is computed by.'),
    agents: z
      .int()
      .describe(
        `How many scores of its agents in production changed by that, more than ${limits.webhookRecordAgentsMax}; GET /org/agents lists the agents with their scores.`,
      ),
  })
  .describe('Of a changed record alone: in place of one message for each of these agents.');

const noticeMessage = z.object({
  type: z.enum([...webhookNoticeType.options, recordChangedType]).describe('What happened.'),
  timestamp: moment('When it happened'),
  data: z
    .object({
      agent_id: nullableText.describe("The agent that it happened to; null for the webhook's organisation."),
      org_domain: nullableText.describe('The domain that the agent has lost; null for other notices.'),
      reason: nullableText.describe("The operator's reason; null where the operator did nothing."),
      record_change: recordChange.optional(),
      position,
      cause,
    })
    .describe('The notice.'),
});

/** The body of a message, as a webhook's consumer gets it. */
export const webhookMessageWire = z
  .discriminatedUnion('type', [scoreMessage, noticeMessage])
  .meta({ id: 'WebhookMessage', description: 'What a webhook receives.' });
export type WebhookMessageWire = z.infer<typeof webhookMessageWire>;
