import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import { timestamp } from '../text.ts';
import { universe } from '../universe.ts';

/** Stream of the seed taxonomy: every capability that the registry itself defines. */
export const taxonomyStream = 'taxonomy';

/** A capability of the seed taxonomy, new or in a new wording; the newest definition of a name counts. Names are in normal form. */
export const capabilityDefined = defineEvent('CapabilityDefined', {
  name: z.string(),
  category: z.string(),
  description: z.string(),
  aliases: z.array(z.string()),
  /** How people ask for it. */
  phrases: z.array(z.string()),
  definedAt: timestamp,
});

/** A capability left the seed taxonomy. Agents that name it keep it. */
export const capabilityRetired = defineEvent('CapabilityRetired', { name: z.string(), retiredAt: timestamp });

/**
 * An agent's owner answered whether a submitted name means a close capability. If accepted, the name is an alias from now on; otherwise it
 * is a capability of its own. The event is in the agent's stream, next to the configuration.
 */
export const capabilityConfirmationAnswered = defineEvent(
  'CapabilityConfirmationAnswered',
  {
    agentId: z.string(),
    /** The agent's universe: an alias learned in a sandbox stays there. */
    universe,
    submitted: z.string(),
    candidate: z.string(),
    accepted: z.boolean(),
    answeredAt: timestamp,
  },
  { shownToOwner: ['agentId', 'submitted', 'candidate', 'accepted', 'answeredAt'] },
);

export type CapabilityDefined = z.infer<typeof capabilityDefined.event>;
export type CapabilityRetired = z.infer<typeof capabilityRetired.event>;
export type CapabilityConfirmationAnswered = z.infer<typeof capabilityConfirmationAnswered.event>;
/** Events of the stream `taxonomy`. */
export const taxonomyEvents = [capabilityDefined, capabilityRetired] as const;
export type TaxonomyEvent = EventOf<(typeof taxonomyEvents)[number]>;
