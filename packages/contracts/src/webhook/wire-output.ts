import { z } from 'zod';
import { moment, nullableText } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { changeFields, registeredWebhook, webhookDelivery, webhookView } from './rpc.ts';

/** The wire's form of an organisation's webhooks and of their messages. */

export const registeredWebhookWire = onWire(registeredWebhook).meta({
  id: 'RegisteredWebhook',
  description: 'A new webhook with its secret, which is shown once.',
});
export const webhookWire = onWire(webhookView).meta({ id: 'Webhook', description: 'A webhook and its state.' });
export const webhookDeliveryWire = onWire(webhookDelivery).meta({
  id: 'WebhookDelivery',
  description: 'A change that is not delivered.',
});

const { position, ...change } = onWire(z.object(changeFields)).shape;

/** The body of a message, as a webhook's consumer gets it. */
export const webhookMessageWire = z
  .object({
    type: z.literal('trust_score.changed').describe('What happened.'),
    timestamp: moment('When the score changed'),
    data: z
      .object({
        ...change,
        trust_policy: z.string().describe('The policy that the score is computed by.'),
        position,
        cause: z
          .object({
            type: z.string().describe('Type of the event that changed the score.'),
            event_id: z.string().describe('Id of that event.'),
            transaction_id: nullableText.describe('For a review: the exchange that was reviewed.'),
          })
          .describe('Why the score changed.'),
      })
      .describe('The change.'),
  })
  .meta({ id: 'WebhookMessage', description: 'What a webhook receives when a trust score changes.' });
export type WebhookMessageWire = z.infer<typeof webhookMessageWire>;
