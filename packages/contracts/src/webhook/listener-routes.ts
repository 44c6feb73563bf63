import { z } from 'zod';
import { textHeader } from '../http/headers.ts';
import { answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, positionText } from '../text.ts';

/** What webhooks are sent with; a listener hands the same on. */
export const webhookUserAgent = 'agent-trust-registry webhooks';

const listenerId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32}$/u, {
    message: 'must be the id of a listener, as POST /org/webhooks/listeners answers it',
  })
  .meta({ description: 'Names the listener.', examples: ['q3v0Y5xJb2Nn7Lr1Wc8Kd4Tz6Hs9Pf0A'] });

const exampleListener = {
  listener_id: 'q3v0Y5xJb2Nn7Lr1Wc8Kd4Tz6Hs9Pf0A',
  secret: `whsec_${'EXAMPLE'.repeat(6)}A=`,
};

export const openWebhookListenerRoute = route({
  method: 'POST',
  path: '/org/webhooks/listeners',
  operationId: 'openWebhookListener',
  summary: 'Open a listener, to try webhooks without a public address',
  description:
    'A listener takes the messages of a webhook from this interface instead of being sent them. Nothing is stored: a listener that nobody ' +
    'uses any more is gone. The secret belongs to the id and this organisation.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  secret: true,
  answers: {
    201: answer(
      'A new listener with the secret that its messages are signed with.',
      z
        .object({
          listener_id: z.string().describe('Names the listener.'),
          secret: z.string().describe('Signs its messages.'),
        })
        .meta({ id: 'WebhookListener', description: 'A listener and its secret.' }),
      exampleListener,
    ),
  },
});

const listenedGroup = z
  .object({
    position: positionText.describe(
      'Log position of the event that caused the messages; the id of the server-sent event.',
    ),
    messages: z
      .array(
        z.object({
          headers: z
            .record(z.string(), z.string())
            .describe(
              'The headers that a delivery has: webhook-id, webhook-timestamp, webhook-signature, content-type, user-agent.',
            ),
          body: z.string().describe('The body of the delivery, exactly as it is signed.'),
        }),
      )
      .describe('One for each agent whose score or state the event changed.'),
  })
  .meta({ id: 'ListenedMessages', description: 'The messages of one event.' });

const exampleGroup: z.infer<typeof listenedGroup> = {
  position: '48213',
  messages: [
    {
      headers: {
        'content-type': 'application/json',
        'user-agent': webhookUserAgent,
        'webhook-id': 'msg_7f9c2ba4e88f827d616045507605853ed73b8093',
        'webhook-timestamp': '1768471300',
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      body: '{"type":"trust_score.changed","timestamp":"2026-01-15T10:01:40.000Z","data":{"agent_id":"acme-translator"}}',
    },
  ],
};

const agentIds = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(agentId).min(1).max(limits.webhookAgentsMax))
  .optional();

export const listenToWebhookMessagesRoute = route({
  method: 'GET',
  path: '/org/webhooks/listeners/{listener_id}/messages',
  operationId: 'listenToWebhookMessages',
  summary: 'The messages of a listener, as they occur',
  description:
    'Server-sent events, each with the messages of one log event and its position as the id; signed when they are sent, as deliveries are. Resumes ' +
    'with Last-Event-ID at any gateway; without it and without `after` only new messages. Listeners, followers and exports of an organisation share a limit.',
  tag: 'Webhooks',
  credentials: ['production_key'],
  organisationScope: 'webhooks',
  params: z.object({ listener_id: listenerId }),
  query: z.object({
    after: positionText.optional().describe('Only messages of events after this log position.'),
    agent_ids: agentIds.describe(
      "Agents of any organisation, separated by commas; absent: all of the organisation's own.",
    ),
  }),
  withoutHead: true,
  headers: {
    'Last-Event-ID': textHeader('To resume: the id of the last event; takes precedence over `after`.', '48213'),
  },
  answers: {
    200: answer('The stream. Its events have this form.', listenedGroup, exampleGroup, {
      headers: {
        'Cache-Control': textHeader('no-store.', 'no-store'),
        'X-Accel-Buffering': textHeader('Asks reverse proxies to forward events at once.', 'no'),
      },
      streamedAs: 'text/event-stream',
      streamExample: `retry: 1000\n\nid: 48213\ndata: ${JSON.stringify(exampleGroup)}\n\n`,
    }),
  },
  errors: ['overloaded'],
});

export const webhookListenerRoutes: readonly Route[] = [openWebhookListenerRoute, listenToWebhookMessagesRoute];
