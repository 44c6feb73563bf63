import type { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import type { registeredWebhookWire, webhookDeliveryWire, webhookWire } from './wire-output.ts';

const described = {
  webhook_id: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  url: 'https://hooks.globex.example/trust',
  agent_ids: null,
  created_at: '2026-01-15T09:30:00.000Z',
};

export const exampleRegisteredWebhook: z.infer<typeof registeredWebhookWire> = {
  ...described,
  secret: `whsec_${'EXAMPLE'.repeat(6)}A=`,
};

export const exampleWebhook: z.infer<typeof webhookWire> = {
  ...described,
  status: 'active',
  disabled_at: null,
  resume_from: null,
  pending: 1,
  dead_letters: 0,
  last_delivered_at: '2026-01-15T10:02:11.204Z',
  last_failure: { at: '2026-01-15T10:05:00.950Z', reason: 'status_503' },
};

export const exampleWebhookDelivery: z.infer<typeof webhookDeliveryWire> = {
  webhook_message_id: 'msg_7f9c2ba4e88f827d616045507605853ed73b8093',
  status: 'pending',
  agent_id: exampleIds.translator,
  position: '48213',
  trust_score: 77,
  previous_score: 76,
  attempts: 1,
  next_attempt_at: '2026-01-15T10:05:05.950Z',
  last_attempt_at: '2026-01-15T10:05:00.950Z',
  last_failure: 'status_503',
};
