import { z } from 'zod';
import { answer, route } from '../http/route.ts';
import { exampleIds } from './examples.ts';

export const agentWhoamiRoute = route({
  method: 'GET',
  path: '/whoami',
  countsAs: null,
  operationId: 'agentWhoami',
  summary: 'Which agent a key is of',
  description: 'The first request to make with a new key of an agent.',
  tag: 'Agents',
  credentials: ['agent'],
  answers: {
    200: answer(
      'The agent.',
      z
        .object({
          agent_id: z.string().describe('The agent.'),
          org_id: z.string().nullable().describe('The organisation that it belongs to; null if it has none.'),
          is_sandbox: z.boolean().describe('Whether it lives in a sandbox.'),
        })
        .meta({ id: 'AgentWhoami', description: 'The agent of a credential.' }),
      { agent_id: exampleIds.translator, org_id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', is_sandbox: false },
    ),
  },
});
