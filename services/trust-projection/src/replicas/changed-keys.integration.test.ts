/**
 * Bug: an event alters an answer that gateways and proxies hold, and is announced under no key that the answer depends on. The method: after
 * each event of a history with events of all types, all such answers are read again.
 */
import {
  authenticateAgentKey,
  authenticateOrgKey,
  changedKeys,
  findSignatureKey,
  getAgentProfile,
  getCallTarget,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import { type MadeEvent, makeHistory, production, sha256 } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';
import { changedBy } from './changed-keys.ts';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(() => fixture.close());

const ask = { timeoutMs: 5_000 };
const history = makeHistory({ agents: 6, exchanges: 30, changes: 60, seed: 3 });
const hashes = new Set(JSON.stringify(history).match(/[0-9a-f]{64}/gu));
const agentIds = new Set(history.flatMap(({ event }) => ('agentId' in event.data ? [String(event.data.agentId)] : [])));

type Answers = Map<string, { answer: unknown; dependsOn: string[] }>;

const answersAt = async (atLeast: string): Promise<Answers> => {
  const { gateway } = fixture;
  const ofAgent = async (agentId: string): Promise<[string, { answer: unknown; dependsOn: string[] }][]> => {
    const asked = { agentId, universe: production };
    const dependsOn = [changedKeys.agent(agentId)];
    const { signer } = await gateway.request(findSignatureKey, { agentId, atLeast }, ask);
    const profile = await gateway.request(getAgentProfile, { ...asked, atLeast }, ask);
    return [
      [`profile:${agentId}`, { answer: profile, dependsOn: [...dependsOn, changedKeys.standing(agentId)] }],
      [`target:${agentId}`, { answer: await gateway.request(getCallTarget, asked, ask), dependsOn }],
      // Agents that share a domain are not the agent's own matter.
      [`signer:${agentId}`, { answer: signer && { ...signer, agentsOfDomain: 0 }, dependsOn }],
    ];
  };
  const ofKey = async (keyHash: string): Promise<[string, { answer: unknown; dependsOn: string[] }][]> => {
    const { agent } = await gateway.request(authenticateAgentKey, { keyHash, atLeast }, ask);
    const { organisation } = await gateway.request(authenticateOrgKey, { keyHash, atLeast }, ask);
    const owners = [
      ...(agent === null ? [] : [changedKeys.agent(agent.agentId)]),
      ...(organisation === null ? [] : [changedKeys.organisation(organisation.orgId)]),
    ];
    return [[changedKeys.credential(keyHash), { answer: { agent, organisation }, dependsOn: owners }]];
  };
  const found = await Promise.all([...[...agentIds].map(ofAgent), ...[...hashes].map(ofKey)]);
  return new Map(found.flat());
};

/** They alter answers of agents that they do not name: whatever is held is dropped. */
const typesOfMany = new Set(['OrganisationDisabled', 'OrganisationEnabled']);

/** Null for everything. */
const namesOf = ({ event }: MadeEvent): Set<string> | null => {
  const { keys, everything } = changedBy({
    position: 0n,
    events: [event as unknown as ProjectedRegistryEvent],
    unknown: false,
    beside: [],
  });
  expect([event.type, everything]).toEqual([event.type, typesOfMany.has(event.type)]);
  return everything ? null : new Set(keys);
};

it('every event is announced under a key of each answer that it alters', async () => {
  const [first, ...others] = history;
  let before = await answersAt(await fixture.record(first!));
  const altering = new Set<string>();
  for (const made of others) {
    const after = await answersAt(await fixture.record(made));
    const names = namesOf(made);
    for (const [key, { answer, dependsOn }] of before) {
      if (JSON.stringify(after.get(key)?.answer) === JSON.stringify(answer)) continue;
      altering.add(made.event.type);
      const isNamed = names === null || [key, ...dependsOn].some((one) => names.has(one));
      expect([made.event.type, key, isNamed]).toEqual([made.event.type, key, true]);
    }
    before = after;
  }
  expect(altering.size).toBeGreaterThan(12);
  expect(hashes.has(sha256('agent-0 key'))).toBe(true);
}, 60_000);
