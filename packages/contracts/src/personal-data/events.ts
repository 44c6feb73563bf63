import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { timestamp } from '../text.ts';

/**
 * The keys of an agent's contact were destroyed, in this order: first the keys, then this event. It stands in the agent's own stream.
 * From here on nothing is left of what was sealed with them, wherever it stands.
 */
export const personalDataErased = defineEvent(
  'PersonalDataErased',
  {
    agentId: z.string(),
    keyIds: z.array(z.string()),
    erasedAt: timestamp,
  },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'erasedAt'] },
);
export type PersonalDataErased = z.infer<typeof personalDataErased.event>;
