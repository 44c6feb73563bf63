import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { agentId, nullableText } from '../text.ts';
import { commandErrors, answer, route } from '../http/route.ts';

export const personalDataErasedWire = z
  .object({
    agent_id: z.string().describe('Whose contact it was.'),
    status: z.literal('erased').describe('Nobody is shown a contact of the agent any more.'),
    erased_at: nullableText.describe(
      'When it was last erased, RFC 3339 in UTC; null for an agent that never had a contact.',
    ),
  })
  .meta({ id: 'PersonalDataErased', description: "That an agent's contact is gone." });
export type PersonalDataErasedWire = z.infer<typeof personalDataErasedWire>;

export const erasePersonalDataRoute = route({
  method: 'POST',
  path: '/ops/agents/{agent_id}/erase',
  operationId: 'erasePersonalData',
  summary: "Erase an agent's contact_email and contact_info for good",
  description:
    'Of an agent in either universe. Destroys the key that they are sealed with in the log, so that no copy of it opens, and records that. ' +
    'From this moment nobody is shown them and no claim link goes to the address. The agent stays, and its owner may set a new contact. ' +
    'May be repeated; after an answer of 5xx, or none, repeat it until it is answered.',
  tag: 'Operations',
  credentials: ['admin_token'],
  params: z.object({ agent_id: agentId }),
  answers: {
    200: answer('It is erased, by this request or before.', personalDataErasedWire, {
      agent_id: exampleIds.buyer,
      status: 'erased',
      erased_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errors: ['agent_not_found', ...commandErrors],
});
