import {
  agentEvents,
  capabilityAliasEvents,
  exchangeEvents,
  operatorKeyEvents,
  organisationEvents,
  orgDomainEvents,
  trustPolicyActivated,
  webhookEvents,
} from '@agent-trust/contracts';
import {
  agentDecider,
  capabilityAliasDecider,
  exchangeDecider,
  operatorKeysDecider,
  organisationDecider,
  orgDomainDecider,
  trustPolicyDecider,
  webhooksDecider,
} from '@agent-trust/domain';
import { createEventRegistry } from '@agent-trust/event-log';

export const agentStreams = { decider: agentDecider, registry: createEventRegistry(agentEvents) };
export const organisationStreams = { decider: organisationDecider, registry: createEventRegistry(organisationEvents) };
export const orgDomainStreams = { decider: orgDomainDecider, registry: createEventRegistry(orgDomainEvents) };
export const exchangeStreams = { decider: exchangeDecider, registry: createEventRegistry(exchangeEvents) };
export const webhookStreams = { decider: webhooksDecider, registry: createEventRegistry(webhookEvents) };
export const operatorKeyStreams = { decider: operatorKeysDecider, registry: createEventRegistry(operatorKeyEvents) };
export const trustPolicyStreams = {
  decider: trustPolicyDecider,
  registry: createEventRegistry([trustPolicyActivated]),
};
export const capabilityAliasStreams = {
  decider: capabilityAliasDecider,
  registry: createEventRegistry(capabilityAliasEvents),
};
