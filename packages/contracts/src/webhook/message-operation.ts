import type { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import type { JsonSchema, SchemaCollector } from '../http/openapi-schemas.ts';
import { webhookMessageWire } from './wire-output.ts';

type Message = z.infer<typeof webhookMessageWire>;

const exampleChange: Message = {
  type: 'trust_score.changed',
  timestamp: '2026-01-15T10:01:40.000Z',
  data: {
    agent_id: exampleIds.translator,
    trust_score: 77,
    previous_score: 76,
    trust_policy: 'v1',
    position: '48213',
    cause: {
      type: 'ExchangeReviewed',
      event_id: '0b6f4c1e-6f0e-4f9b-8f34-9a0d5f7b2c11',
      transaction_id: '2f1d7c5a-3b9e-4d65-8a10-6c4e2b8f9d70',
    },
  },
};

const exampleNotice: Message = {
  type: 'agent.suspended',
  timestamp: '2026-01-16T09:12:00.000Z',
  data: {
    agent_id: exampleIds.translator,
    org_domain: null,
    reason: 'Answers calls with malware, report 2026-114.',
    position: '48302',
    cause: { type: 'AgentSuspended', event_id: '7c3f0d8a-52b1-4e7e-9f0a-1d2c3b4a5968', transaction_id: null },
  },
};

const exampleRecord: Message = {
  type: 'organisation.record_changed',
  timestamp: '2026-01-16T10:30:00.000Z',
  data: {
    agent_id: null,
    org_domain: null,
    reason: null,
    record_change: {
      org_id: '5f0c7d1e9b3a4c68a1d2e3f405162738',
      record: 65,
      previous_record: 75,
      trust_policy: 'v2',
      agents: 10_000,
    },
    position: '48377',
    cause: {
      type: 'ExchangeReviewed',
      event_id: '4a1b9c2d-8e7f-4063-9a5b-7c8d9e0f1a2b',
      transaction_id: '9d8c7b6a-5f4e-4d3c-8b2a-1f0e9d8c7b6a',
    },
  },
};

/** What a webhook receives, for OpenAPI's `webhooks`: the registry is the client there. */
export function webhookMessageOperation(schemas: SchemaCollector): JsonSchema {
  return {
    operationId: 'receiveWebhookMessage',
    summary: 'A change of a score, or a notice',
    description:
      'What a webhook receives, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks. ' +
      'Further types may follow: answer 2xx to those that you do not know.',
    tags: ['Webhooks'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.ofOutput(webhookMessageWire),
          examples: {
            change: { summary: 'A score has changed', value: exampleChange },
            record: {
              summary: "The organisation's record has changed the scores of many agents",
              value: exampleRecord,
            },
            notice: { summary: 'The operator has suspended an agent', value: exampleNotice },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'The message is received. The body does not matter.' },
      410: { description: 'The webhook is disabled.' },
      default: { description: 'The message is sent again later.' },
    },
  };
}
