import {
  agentAdopted,
  agentPublished,
  agentRegistered,
  agentWithdrawn,
  claimIssued,
  clonePaired,
  configurationChanged,
  configurationPromoted,
  configurationPulled,
  contactChanged,
  keyRotated,
  orgDomainChanged,
  orgDomainReleased,
  orgDomainReservationLapsed,
  orgDomainReserved,
  orgNameChanged,
  publicKeyReplaced,
} from './agent/events.ts';
import type { AgentEvent, OrgDomainEvent } from './agent/events.ts';
import { capabilityConfirmationAnswered, capabilityDefined, capabilityRetired } from './capability/events.ts';
import type { TaxonomyEvent } from './capability/events.ts';
import type { EventDefinition } from './event.ts';
import {
  exchangeAbandoned,
  exchangeCompleted,
  exchangeFailed,
  exchangeReviewed,
  exchangeStarted,
} from './exchange/events.ts';
import type { ExchangeEvent } from './exchange/events.ts';
import {
  organisationCreated,
  productionKeyReplaced,
  sandboxKeyIssued,
  sandboxKeyRevoked,
} from './organisation/events.ts';
import type { OrganisationEvent } from './organisation/events.ts';
import { personalDataErased } from './personal-data/events.ts';
import { settlementRecorded } from './settlement/events.ts';
import type { SettlementRecorded } from './settlement/events.ts';
import { trustPolicyActivated } from './trust-policy/events.ts';
import type { TrustPolicyActivated } from './trust-policy/events.ts';
import { webhookDeleted, webhookRegistered, webhookReplayRequested } from './webhook/events.ts';
import type { WebhookEvent } from './webhook/events.ts';

/** Every event of the registry, in its current version. */
export const eventDefinitions: readonly EventDefinition[] = [
  agentRegistered,
  claimIssued,
  keyRotated,
  orgDomainReserved,
  orgDomainReleased,
  orgDomainReservationLapsed,
  configurationChanged,
  configurationPulled,
  configurationPromoted,
  contactChanged,
  personalDataErased,
  publicKeyReplaced,
  agentAdopted,
  orgNameChanged,
  orgDomainChanged,
  clonePaired,
  agentPublished,
  agentWithdrawn,
  capabilityDefined,
  capabilityRetired,
  capabilityConfirmationAnswered,
  organisationCreated,
  sandboxKeyIssued,
  sandboxKeyRevoked,
  productionKeyReplaced,
  exchangeStarted,
  exchangeCompleted,
  exchangeFailed,
  exchangeAbandoned,
  exchangeReviewed,
  settlementRecorded,
  trustPolicyActivated,
  webhookRegistered,
  webhookDeleted,
  webhookReplayRequested,
];

export type RegistryEvent =
  | AgentEvent
  | OrgDomainEvent
  | TaxonomyEvent
  | OrganisationEvent
  | ExchangeEvent
  | SettlementRecorded
  | TrustPolicyActivated
  | WebhookEvent;
