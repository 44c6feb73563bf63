import { z } from 'zod';
import { capabilityConfirmationRequired, confirmationExamples } from '../capability/wire.ts';
import { errorBody } from '../errors.ts';
import { idempotencyHeader } from '../http/headers.ts';
import { answer, commandErrors, route } from '../http/route.ts';
import { exampleIds, exampleTrustObject } from './examples.ts';
import { updateBody } from './wire-input.ts';
import { trustObject } from './wire-output.ts';

/**
 * A refusal that nobody can repeat, so that what it would have brought is in it all the same: the write stands, or may. Only with a 503.
 */
export const issuedAnyway = errorBody
  .extend({
    agent_id: z.string().optional().describe('The agent that the key or link is for.'),
    status: z.string().optional().describe('As in the answer that would have been.'),
    agent_key: z.string().nullish().describe('The new bearer key: keep it, it is shown once.'),
    claim_link: z.string().nullish().describe('The claim link: keep it, it is shown once.'),
  })
  .meta({
    id: 'IssuedAnyway',
    description: 'A refusal after which the write stands, or may: it brings what would otherwise be lost.',
  });

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
