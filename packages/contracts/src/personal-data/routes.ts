import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { agentId, nullableText } from '../text.ts';
import { commandErrors, answer, route } from '../http/route.ts';
import { operatorRoute } from '../operator/operator-route.ts';

export const personalDataErasedWire = z
  .object({
    agent_id: z.string().describe('Whose data it was.'),
    status: z
      .literal('erased')
      .describe('The contact of the agent, and what it has answered to reviews, is no longer shown.'),
    erased_at: nullableText.describe('When it was last erased, RFC 3339 in UTC; null for an agent that never had any.'),
  })
  .meta({ id: 'PersonalDataErased', description: "That an agent's personal data is gone." });
export type PersonalDataErasedWire = z.infer<typeof personalDataErasedWire>;

export const erasePersonalDataRoute = route({
  ...operatorRoute,
  operatorRole: 'admin',
  path: '/ops/agents/{agent_id}/erase',
  operationId: 'erasePersonalData',
  summary: "Erase an agent's contact and its answers to reviews for good",
  description:
    'For an agent in either universe. Destroys the key that seals contact_email, contact_info and the texts of its answers in the log, so that no copy can be opened, ' +
    'and records that. From now on nobody sees them and no claim link goes to the address. The agent stays, and its owner may set a new contact. May be repeated; ' +
    'after a 5xx or no answer, repeat it until it succeeds.',
  params: z.object({ agent_id: agentId }),
  answers: {
    200: answer('Erased, by this request or before.', personalDataErasedWire, {
      agent_id: exampleIds.buyer,
      status: 'erased',
      erased_at: '2026-01-15T09:30:00.000Z',
    }),
  },
  errors: ['agent_not_found', ...commandErrors],
});
