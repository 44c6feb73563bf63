import { agentEvents } from './agent/events.ts';
import { archiveEvents } from './archive/events.ts';
import { capabilityAliasEvents, taxonomyEvents } from './capability/events.ts';
import type { EventOf } from './event.ts';
import { exchangeEvents } from './exchange/events.ts';
import { operatorKeyEvents } from './operator-key/events.ts';
import { organisationEvents } from './organisation/events.ts';
import { orgDomainEvents } from './org-domain/events.ts';
import { settlementRecorded } from './settlement/events.ts';
import { trustPolicyActivated } from './trust-policy/events.ts';
import { webhookEvents } from './webhook/events.ts';

/** Every event of the registry, in its current version. */
export const eventDefinitions = [
  ...agentEvents,
  ...orgDomainEvents,
  ...taxonomyEvents,
  ...capabilityAliasEvents,
  ...organisationEvents,
  ...exchangeEvents,
  settlementRecorded,
  trustPolicyActivated,
  ...webhookEvents,
  ...operatorKeyEvents,
  ...archiveEvents,
] as const;

export type RegistryEvent = EventOf<(typeof eventDefinitions)[number]>;
