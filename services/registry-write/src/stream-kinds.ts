import type {
  AgentEvent,
  ExchangeEvent,
  OrganisationEvent,
  OrgDomainEvent,
  TrustPolicyActivated,
  WebhookEvent,
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
import {
  agentEvents,
  exchangeEvents,
  organisationEvents,
  orgDomainEvents,
  trustPolicyEvents,
  webhookEvents,
} from './event-registry.ts';
import type { StreamKind } from './run-command.ts';

export const agentStreams: StreamKind<AgentCommand, AgentState, AgentEvent> = {
  decider: agentDecider,
  registry: agentEvents,
};
export const organisationStreams: StreamKind<OrganisationCommand, OrganisationState, OrganisationEvent> = {
  decider: organisationDecider,
  registry: organisationEvents,
};
export const orgDomainStreams: StreamKind<ReserveOrgDomain, OrgDomainState, OrgDomainEvent> = {
  decider: orgDomainDecider,
  registry: orgDomainEvents,
};
export const exchangeStreams: StreamKind<ExchangeCommand, ExchangeState, ExchangeEvent> = {
  decider: exchangeDecider,
  registry: exchangeEvents,
};
export const webhookStreams: StreamKind<WebhookCommand, WebhooksState, WebhookEvent> = {
  decider: webhooksDecider,
  registry: webhookEvents,
};
export const trustPolicyStreams: StreamKind<ActivateTrustPolicy, TrustPolicyState, TrustPolicyActivated> = {
  decider: trustPolicyDecider,
  registry: trustPolicyEvents,
};
