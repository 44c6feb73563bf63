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
 * An agent's owner answered whether a submitted name means a close capability. If accepted, the name is an alias for this agent, and for all
 * once enough organisations have said so; otherwise it is a capability of its own. The event is in the agent's stream, next to the configuration.
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

/** What the operator says of one alias. */
export function capabilityAliasStream(alias: string): string {
  return `capability_alias-${alias}`;
}

/** The operator made a name an alias in production, whoever else confirmed it. */
export const capabilityAliasConfirmed = defineEvent('CapabilityAliasConfirmed', {
  alias: z.string(),
  name: z.string(),
  reason: z.string(),
  confirmedAt: timestamp,
});

/** The name is no alias in production from now on, unless the operator confirms it. Configurations stay as they are. */
export const capabilityAliasUndone = defineEvent('CapabilityAliasUndone', {
  alias: z.string(),
  reason: z.string(),
  undoneAt: timestamp,
});

export type CapabilityAliasConfirmed = z.infer<typeof capabilityAliasConfirmed.event>;
export type CapabilityAliasUndone = z.infer<typeof capabilityAliasUndone.event>;
/** Events of the stream of an alias. */
export const capabilityAliasEvents = [capabilityAliasConfirmed, capabilityAliasUndone] as const;
export type CapabilityAliasEvent = EventOf<(typeof capabilityAliasEvents)[number]>;
export type CapabilityDefined = z.infer<typeof capabilityDefined.event>;
export type CapabilityRetired = z.infer<typeof capabilityRetired.event>;
export type CapabilityConfirmationAnswered = z.infer<typeof capabilityConfirmationAnswered.event>;
/** Events of the stream `taxonomy`. */
export const taxonomyEvents = [capabilityDefined, capabilityRetired] as const;
export type TaxonomyEvent = EventOf<(typeof taxonomyEvents)[number]>;
