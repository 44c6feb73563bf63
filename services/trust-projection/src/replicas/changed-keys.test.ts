import { expect, it } from 'vitest';
import type { ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import { changedBy } from './changed-keys.ts';

const event = (type: string, data: object): ProjectedRegistryEvent => ({ type, data }) as ProjectedRegistryEvent;
const batch = (events: ProjectedRegistryEvent[], unknown = false) => ({ position: 1n, events, unknown });

it('names each agent whose profile, earnings or activity may change, once', () => {
  const events = [
    event('AgentWithdrawn', { agentId: 'a' }),
    event('ExchangeReviewed', { callerAgentId: 'b', receiverAgentId: 'a' }),
    event('OrganisationCreated', { orgId: 'o' }),
  ];
  expect(changedBy(batch(events))).toEqual({ keys: ['a', 'b'], groups: [], everything: false });
});

it('says that everything changes for a policy, and for an event of an unknown type', () => {
  const everything = { keys: [], groups: [], everything: true };
  expect(changedBy(batch([event('TrustPolicyActivated', {})]))).toEqual(everything);
  expect(changedBy(batch([event('AgentWithdrawn', { agentId: 'a' })], true))).toEqual(everything);
});
