import { z } from 'zod';
import { event } from '../event.ts';
import { timestamp } from '../text.ts';

/**
 * The keys of an agent's contact were destroyed, in this order: first the keys, then this event. It stands in the agent's own stream.
 * From here on nothing is left of what was sealed with them, wherever it stands, nor of what stands in clear before this event.
 */
export const personalDataErased = event('PersonalDataErased', 1, {
  agentId: z.string(),
  keyIds: z.array(z.string()),
  erasedAt: timestamp,
});
export type PersonalDataErased = z.infer<typeof personalDataErased.event>;
