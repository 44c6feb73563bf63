import {
  agentRegistered,
  claimIssued,
  keyRotated,
  orgDomainReservationLapsed,
  orgDomainReserved,
} from './agent/events.ts';
import type { AgentEvent, OrgDomainReserved } from './agent/events.ts';
import type { EventDefinition } from './event.ts';
import {
  exchangeAbandoned,
  exchangeCompleted,
  exchangeFailed,
  exchangeReviewed,
  exchangeStarted,
} from './exchange/events.ts';
import type { ExchangeEvent } from './exchange/events.ts';
import { organisationCreated } from './organisation/events.ts';
import type { OrganisationEvent } from './organisation/events.ts';

/** Every event of the registry, in its current version. */
export const eventDefinitions: readonly EventDefinition[] = [
  agentRegistered,
  claimIssued,
  keyRotated,
  orgDomainReserved,
  orgDomainReservationLapsed,
  organisationCreated,
  exchangeStarted,
  exchangeCompleted,
  exchangeFailed,
  exchangeAbandoned,
  exchangeReviewed,
];

export type RegistryEvent = AgentEvent | OrgDomainReserved | OrganisationEvent | ExchangeEvent;
