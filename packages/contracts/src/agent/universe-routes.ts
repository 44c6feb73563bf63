import { z } from 'zod';
import { commandErrors, answer, type Examples, route, type Route } from '../http/route.ts';
import { agentId } from '../text.ts';
import { exampleIds } from './examples.ts';
import { fieldTexts } from './field-texts.ts';

const moveAgentRequest = z
  .object({ agent_id: agentId })
  .meta({ id: 'MoveAgentRequest', description: 'The agent to move.' });

const moveAgentResponse = z
  .object({
    agent_id: z.string().describe('The agent that was moved.'),
    moved_to: z.enum(['production', 'sandbox']).describe('Where it is now.'),
    discoverable: z.boolean().describe('Whether /match and /registry show the agent to everybody.'),
    trust_score: z.int().describe(fieldTexts.trust_score),
    transaction_count: z.int().describe(fieldTexts.transaction_count),
    moved_at: z.string().describe('When it was moved, RFC 3339 in UTC.'),
  })
  .meta({ id: 'MoveAgentResponse', description: 'Where the agent is now, with its record.' });
export type MoveAgentResponse = z.infer<typeof moveAgentResponse>;

const moveExamples = (movedTo: MoveAgentResponse['moved_to']): Examples => ({
  moved: {
    summary: `In ${movedTo}`,
    value: {
      agent_id: exampleIds.translator,
      moved_to: movedTo,
      discoverable: movedTo === 'production',
      trust_score: 75,
      transaction_count: 0,
      moved_at: '2026-01-15T09:30:00.000Z',
    } satisfies MoveAgentResponse,
  },
});

const moveErrors = ['agent_not_found', 'clone_paired', 'already_in_universe'] as const;

export const publishRoute = route({
  method: 'POST',
  path: '/sandbox/publish',
  operationId: 'publishAgent',
  summary: 'Move a sandbox agent into production',
  description: 'The agent keeps its id, its keys and its record. A clone cannot be moved: promote it.',
  tag: 'Sandbox',
  credentials: ['sandbox_key'],
  organisationScope: 'register',
  body: moveAgentRequest,
  bodyExamples: { agent: { summary: 'One agent', value: { agent_id: exampleIds.translator } } },
  answers: {
    200: {
      description: 'The agent is in production.',
      body: moveAgentResponse,
      examples: moveExamples('production'),
    },
  },
  errors: [...moveErrors, 'agent_suspended', 'agent_retired', ...commandErrors],
});

export const withdrawRoute = route({
  ...publishRoute,
  organisationScope: 'register',
  errors: [...moveErrors, ...commandErrors],
  path: '/sandbox/withdraw',
  operationId: 'withdrawAgent',
  summary: "Move a live agent into its organisation's sandbox",
  description:
    'The agent keeps its id, its keys and its record, and only its organisation sees it. A suspended or retired agent stays so there. Neither side of a pair can be moved.',
  answers: {
    200: { description: 'The agent is in the sandbox.', body: moveAgentResponse, examples: moveExamples('sandbox') },
  },
});

const promoteRequest = z
  .object({
    sandbox_agent_id: agentId.nullish().describe('The clone in the sandbox; required.'),
    agent_id: agentId.nullish().describe('Another name of sandbox_agent_id.'),
    real_agent_id: agentId.nullish().describe('Default: the live agent paired with the clone.'),
  })
  .refine((body) => body.sandbox_agent_id != null || body.agent_id != null, {
    path: ['sandbox_agent_id'],
    message: 'is required',
  })
  .refine((body) => body.sandbox_agent_id == null || body.agent_id == null || body.sandbox_agent_id === body.agent_id, {
    path: ['agent_id'],
    message: 'must be the same as sandbox_agent_id, when both are sent',
  })
  .meta({ id: 'PromoteRequest', description: 'The clone to copy to its live agent.' })
  .transform((body) => ({
    sandboxAgentId: body.sandbox_agent_id ?? body.agent_id ?? '',
    liveAgentId: body.real_agent_id ?? null,
  }));

export const promoteRoute = route({
  method: 'POST',
  path: '/sandbox/promote',
  operationId: 'promoteAgent',
  summary: 'Copy the configuration of a sandbox clone to its live agent',
  description:
    'Copies every configuration field, also null ones, and the org_domain if the clone has one. Identity, contact, keys and record of the live agent stay.',
  tag: 'Sandbox',
  credentials: ['sandbox_key'],
  organisationScope: 'register',
  body: promoteRequest,
  bodyExamples: { clone: { summary: 'A clone', value: { sandbox_agent_id: exampleIds.draft } } },
  answers: {
    200: answer(
      'The live agent has the configuration of its clone.',
      z
        .object({
          sandbox_agent_id: z.string().describe('The clone.'),
          real_agent_id: z.string().describe('The live agent.'),
          fields_copied: z.array(z.string()).describe('Names of the fields that were copied.'),
          promoted_at: z.string().describe('When, RFC 3339 in UTC.'),
        })
        .meta({ id: 'PromoteResponse', description: 'What was copied to which agent.' }),
      {
        sandbox_agent_id: exampleIds.draft,
        real_agent_id: exampleIds.translator,
        fields_copied: ['capabilities', 'endpoint_url'],
        promoted_at: '2026-01-15T09:30:00.000Z',
      },
    ),
  },
  errors: [
    'agent_not_found',
    'wrong_universe',
    'not_a_confirmed_pair',
    'agent_suspended',
    'agent_retired',
    'capability_weights_exceeded',
    'price_schedule_incomplete',
    'org_domain_taken',
    ...commandErrors,
  ],
});

/** The routes that move or copy between universes. */
export const universeRoutes: readonly Route[] = [publishRoute, withdrawRoute, promoteRoute];
