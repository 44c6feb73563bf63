import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, moment, text } from '../text.ts';

const reason = text(limits.operatorReasonCharsMax, 1).describe(
  "Why, for the log and the agent's owner. It cannot be erased: name no person.",
);
const reasonBody = z.object({ reason }).meta({ id: 'OperatorReason', description: 'Why the operator does this.' });

const shownAgentId = z.string().describe('The agent.');

export const agentSuspendedWire = z
  .object({
    agent_id: shownAgentId,
    status: z.literal('suspended').describe('Nobody reaches the agent or acts as it.'),
    reason: z.string().describe('Why, as the suspension that holds was given it.'),
    suspended_at: moment('Since when'),
  })
  .meta({ id: 'AgentSuspended', description: 'That an agent is suspended.' });
export type AgentSuspendedWire = z.infer<typeof agentSuspendedWire>;

export const agentReinstatedWire = z
  .object({ agent_id: shownAgentId, status: z.literal('reinstated').describe('The agent is not suspended.') })
  .meta({ id: 'AgentReinstated', description: 'That an agent is not suspended.' });
export type AgentReinstatedWire = z.infer<typeof agentReinstatedWire>;

const operatorRoute = {
  method: 'POST',
  tag: 'Operations',
  credentials: ['admin_token'],
  body: reasonBody,
} as const;

export const suspendAgentRoute = route({
  ...operatorRoute,
  credentials: ['admin_token'],
  path: '/ops/agents/{agent_id}/suspend',
  operationId: 'suspendAgent',
  summary: 'Suspend an agent',
  description:
    'For an agent in either universe. From the answer on it is shown with a trust_score of 0, the flag `suspended` and the action `block`; calls and ' +
    'payments to it, and everything done as it, are 403 `agent_suspended`; it leaves match and the registry. Its organisation can read and ' +
    'withdraw it. GET /agent/{agent_id}/trust goes on to explain what it has earned. May be repeated: the first suspension stands.',
  params: z.object({ agent_id: agentId }),
  bodyExamples: { abuse: { summary: 'A reason', value: { reason: 'Answers calls with malware, report 2026-114.' } } },
  answers: {
    200: answer('Suspended, by this request or before.', agentSuspendedWire, {
      agent_id: exampleIds.translator,
      status: 'suspended',
      reason: 'Answers calls with malware, report 2026-114.',
      suspended_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errors: ['agent_not_found', ...commandErrors],
});

export const reinstateAgentRoute = route({
  ...operatorRoute,
  credentials: ['admin_token'],
  path: '/ops/agents/{agent_id}/reinstate',
  operationId: 'reinstateAgent',
  summary: 'Reinstate a suspended agent',
  description:
    'The agent is shown with what it has earned, is found and can be called again. May be repeated. It stays blocked while its organisation is disabled or if it is retired.',
  params: z.object({ agent_id: agentId }),
  bodyExamples: { clear: { summary: 'A reason', value: { reason: 'The owner has replaced the server.' } } },
  answers: {
    200: answer('Not suspended, by this request or before.', agentReinstatedWire, {
      agent_id: exampleIds.translator,
      status: 'reinstated',
    }),
  },
  errors: ['agent_not_found', ...commandErrors],
});

/** In the order of the OpenAPI document. */
export const operatorRoutes: readonly Route[] = [suspendAgentRoute, reinstateAgentRoute];
