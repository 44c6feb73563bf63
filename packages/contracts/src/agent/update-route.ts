import { capabilityConfirmationRequired, confirmationExamples } from '../capability/wire.ts';
import { idempotencyHeader } from '../http/idempotency-header.ts';
import { commandErrors, answer, route } from '../http/route.ts';
import { exampleIds, exampleTrustObject } from './examples.ts';
import { updateBody } from './wire-input.ts';
import { trustObject } from './wire-output.ts';

export const updateRoute = route({
  method: 'POST',
  path: '/update',
  operationId: 'updateAgent',
  summary: 'Update an agent',
  description:
    'Only the fields that are present are written; null clears a field. Every credential that is sent must be valid. An organisation key ' +
    "forces the organisation's name; together with the agent's own credential a production key makes an agent without organisation the organisation's.",
  tag: 'Agents',
  credentials: ['agent', 'signature', 'organisation', 'admin_token'],
  severalCredentials: 'combine',
  headers: idempotencyHeader,
  body: updateBody,
  bodyExamples: {
    endpoint: {
      summary: 'A new endpoint and no specialty',
      value: {
        agent_id: exampleIds.translator,
        endpoint_url: 'https://agents.globex.example/v2/a2a',
        specialty: null,
      },
    },
    answer: {
      summary: 'The answer to a question about capabilities',
      value: {
        agent_id: exampleIds.translator,
        capabilities: ['text_translating'],
        capability_confirmations: { text_translating: true },
        candidate_matches: { text_translating: 'machine_translation' },
      },
    },
  },
  answers: {
    200: answer('The trust object of the agent after the update.', trustObject, {
      ...exampleTrustObject,
      specialty: null,
    }),
    202: {
      description:
        'Nothing was written: some capabilities are close to canonical ones, and which is meant must be said.',
      body: capabilityConfirmationRequired,
      examples: confirmationExamples,
    },
  },
  errors: [
    'agent_not_found',
    'not_owner',
    'wrong_universe',
    'org_fields_forbidden',
    'sandbox_key_required',
    'not_a_confirmed_pair',
    'invalid_public_key',
    'capability_weights_exceeded',
    'price_schedule_incomplete',
    'org_domain_taken',
    'rate_limited',
    ...commandErrors,
  ],
});
