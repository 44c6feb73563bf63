import {
  type AgentEvent,
  type ExchangeEvent,
  eventDefinitions,
  type OrganisationEvent,
  type OrgDomainEvent,
  type RegistryEvent,
  type TaxonomyEvent,
  type TrustPolicyActivated,
  type WebhookEvent,
} from '@agent-trust/contracts';
import { createEventRegistry, type DomainEvent, type EventRegistry } from '@agent-trust/event-log';

const registry: EventRegistry<RegistryEvent> = createEventRegistry<RegistryEvent>(eventDefinitions);

/** One registry for all streams; a decider that meets an event of another kind of stream throws, so the narrower type is safe. */
const forStreamsOf = <Event extends DomainEvent<string, object>>(): EventRegistry<Event> =>
  registry as unknown as EventRegistry<Event>;

export const agentEvents: EventRegistry<AgentEvent> = forStreamsOf();
export const organisationEvents: EventRegistry<OrganisationEvent> = forStreamsOf();
export const orgDomainEvents: EventRegistry<OrgDomainEvent> = forStreamsOf();
export const exchangeEvents: EventRegistry<ExchangeEvent> = forStreamsOf();
export const webhookEvents: EventRegistry<WebhookEvent> = forStreamsOf();
export const taxonomyEvents: EventRegistry<TaxonomyEvent> = forStreamsOf();
export const trustPolicyEvents: EventRegistry<TrustPolicyActivated> = forStreamsOf();
