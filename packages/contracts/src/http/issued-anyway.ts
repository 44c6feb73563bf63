import { z } from 'zod';
import { errorBody } from '../errors.ts';

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
