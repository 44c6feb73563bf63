import {
  type AgentEvent,
  agentEvents,
  type ExchangeEvent,
  exchangeEvents,
  type OrganisationEvent,
  organisationEvents,
  type OrgDomainEvent,
  orgDomainEvents,
  type TrustPolicyActivated,
  trustPolicyActivated,
  type WebhookEvent,
  webhookEvents,
} from '@agent-trust/contracts';
import {
  type ActivateTrustPolicy,
  type AgentCommand,
  agentDecider,
  type AgentState,
  type ExchangeCommand,
  exchangeDecider,
  type ExchangeState,
  type OrganisationCommand,
  organisationDecider,
  type OrganisationState,
  orgDomainDecider,
  type OrgDomainState,
  type ReserveOrgDomain,
  trustPolicyDecider,
  type TrustPolicyState,
  type WebhookCommand,
  webhooksDecider,
  type WebhooksState,
} from '@agent-trust/domain';
import { createEventRegistry } from '@agent-trust/event-log';
import type { StreamKind } from './run-command.ts';

export const agentStreams: StreamKind<AgentCommand, AgentState, AgentEvent> = {
  decider: agentDecider,
  registry: createEventRegistry(agentEvents),
};
export const organisationStreams: StreamKind<OrganisationCommand, OrganisationState, OrganisationEvent> = {
  decider: organisationDecider,
  registry: createEventRegistry(organisationEvents),
};
export const orgDomainStreams: StreamKind<ReserveOrgDomain, OrgDomainState, OrgDomainEvent> = {
  decider: orgDomainDecider,
  registry: createEventRegistry(orgDomainEvents),
};
export const exchangeStreams: StreamKind<ExchangeCommand, ExchangeState, ExchangeEvent> = {
  decider: exchangeDecider,
  registry: createEventRegistry(exchangeEvents),
};
export const webhookStreams: StreamKind<WebhookCommand, WebhooksState, WebhookEvent> = {
  decider: webhooksDecider,
  registry: createEventRegistry(webhookEvents),
};
export const trustPolicyStreams: StreamKind<ActivateTrustPolicy, TrustPolicyState, TrustPolicyActivated> = {
  decider: trustPolicyDecider,
  registry: createEventRegistry([trustPolicyActivated]),
};
