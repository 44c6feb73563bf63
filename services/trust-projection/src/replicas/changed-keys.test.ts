import { expect, it } from 'vitest';
import type { ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import { changedBy } from './changed-keys.ts';

const event = (type: string, data: object): ProjectedRegistryEvent => ({ type, data }) as ProjectedRegistryEvent;
const batch = (events: ProjectedRegistryEvent[], unknown = false) => ({ position: 1n, events, unknown, beside: [] });

it('names once whom a batch changes, what they earned, and whose keys', () => {
  const events = [
    event('AgentWithdrawn', { agentId: 'a' }),
    event('ExchangeReviewed', { callerAgentId: 'b', receiverAgentId: 'a' }),
    event('ReviewAnswered', { callerAgentId: 'e', receiverAgentId: 'f' }),
    event('KeyRotated', { agentId: 'c', keyHash: 'h' }),
    event('ProductionKeyReplaced', { orgId: 'o', productionKeyHash: 'i' }),
    event('SandboxKeyRevoked', { orgId: 'o' }),
    event('ClaimIssued', { agentId: 'd', claimTokenHash: 'j' }),
  ];
  const keys = [
    'agent:a',
    'standing:a',
    'standing:b',
    'standing:f',
    'standing:c',
    'agent:c',
    'credential:h',
    'organisation:o',
    'credential:i',
  ];
  expect(changedBy(batch(events))).toEqual({ keys, everything: false });
});

it('names the organisations whose records a batch changes, and none of their agents', () => {
  const changed = changedBy({ ...batch([]), beside: ['o', 'p'] });
  expect(changed).toEqual({ keys: ['record:o', 'record:p'], everything: false });
});

it('says that everything changes for a policy, and for an event of an unknown type', () => {
  const everything = { keys: [], everything: true };
  expect(changedBy(batch([event('TrustPolicyActivated', {})]))).toEqual(everything);
  expect(changedBy(batch([event('AgentWithdrawn', { agentId: 'a' })], true))).toEqual(everything);
});
