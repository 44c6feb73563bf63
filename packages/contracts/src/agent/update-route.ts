import { z } from 'zod';
import { capabilityConfirmationRequired, confirmationExamples } from '../capability/wire.ts';
import { errorBody } from '../errors.ts';
import { idempotencyHeader } from '../http/headers.ts';
import { answer, commandErrors, route } from '../http/route.ts';
import { exampleIds, exampleTrustObject } from './examples.ts';
import { updateBody } from './wire-input.ts';
import { trustObject } from './wire-output.ts';

/** A 503 after which the write may stand. Such a request cannot be repeated, so the refusal contains what its answer would have had. */
export const issuedAnyway = errorBody
  .extend({
    agent_id: z.string().optional().describe('The agent of the key or link.'),
    status: z.string().optional().describe('As in the regular answer.'),
    agent_key: z.string().nullish().describe('The new bearer key: keep it, it is shown once.'),
    claim_link: z.string().nullish().describe('The claim link: keep it, it is shown once.'),
  })
  .meta({
    id: 'IssuedAnyway',
    description: 'A refusal after which the write may stand: it contains what would otherwise be lost.',
  });

export const updateRoute = route({
  method: 'POST',
  path: '/update',
  operationId: 'updateAgent',
  summary: 'Update an agent',
  description:
    'Only present fields are written; null clears a field. Every credential sent must be valid. An organisation key sets the ' +
    "organisation's name; a production key together with the agent's own credential moves an agent without an organisation into it.",
  tag: 'Agents',
  credentials: ['agent', 'signature', 'organisation', 'admin_token', 'operator'],
  organisationScope: 'register',
  operatorRole: 'admin',
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
        'Nothing was written: some capabilities are close to canonical ones, and the caller must say which are meant.',
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
