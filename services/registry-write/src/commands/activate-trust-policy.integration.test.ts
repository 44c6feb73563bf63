import { activateTrustPolicy, trustPolicyStream } from '@agent-trust/contracts';
import { policyV1 } from '@agent-trust/trust-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 2 });
});
afterAll(() => registry.stop());

const policyOf = (name: string, strength: number) => ({
  ...policyV1,
  name,
  constants: { ...policyV1.constants, strength },
});
const outcomeOf = (policy: ReturnType<typeof policyOf>, activationsBefore: number): Promise<string> =>
  registry.outcomeOf(registry.ask(activateTrustPolicy, { policy, activationsBefore }));

describe('activating a trust policy', () => {
  it('refuses one that cannot compute scores, before any other check', async () => {
    expect(await outcomeOf(policyOf('hollow', 0), 0)).toBe('validation_failed');
    expect(await outcomeOf(policyOf('No Name', 6), 0)).toBe('validation_failed');
    expect(await outcomeOf(policyOf('v1', 6), 0)).toBe('validation_failed');
  });

  it('of two at once activates one, and records the policy and its operator', async () => {
    const asked = [policyOf('heavier', 10), policyOf('lighter', 3)];
    const outcomes = await Promise.all(asked.map((policy) => outcomeOf(policy, 0)));
    expect(outcomes.toSorted()).toEqual(['ok', 'trust_policy_outdated']);
    const policy = asked[outcomes.indexOf('ok')];
    const [recorded] = await registry.recordedIn(trustPolicyStream);
    expect(recorded).toMatchObject({
      type: 'TrustPolicyActivated',
      data: { policy, previousPolicy: 'v1' },
      metadata: { actor: { kind: 'operator', id: null, credentials: [] } },
    });
  });

  it('never gives a name to other constants, and allows an earlier policy again', async () => {
    const [first] = await registry.eventsOf(trustPolicyStream);
    if (first?.type !== 'TrustPolicyActivated') throw new Error('nothing was activated');
    const { policy } = first.data;
    expect(await outcomeOf(policyOf(policy.name, 77), 1)).toBe('trust_policy_name_taken');
    expect(await outcomeOf(policyOf(policy.name, policy.constants.strength), 1)).toBe('trust_policy_active');
    expect(await outcomeOf(policyOf('v1', 5), 1)).toBe('ok');
    expect(await outcomeOf(policyOf(policy.name, policy.constants.strength), 2)).toBe('ok');
    expect(await registry.eventsOf(trustPolicyStream)).toHaveLength(3);
  });
});
