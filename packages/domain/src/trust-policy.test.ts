import { readFileSync } from 'node:fs';
import { type TrustPolicyActivated, trustPolicyActivated } from '@agent-trust/contracts';
import { parsePolicy, policyV1, type TrustPolicy } from '@agent-trust/trust-policy';
import { describe, expect, it } from 'vitest';
import { givenFor } from './testing/index.ts';
import { type ActivateTrustPolicy, trustPolicyDecider } from './trust-policy.ts';

const now = '2026-01-01T00:00:00.000Z';
const policyOf = (name: string, constants: Partial<TrustPolicy['constants']> = {}): TrustPolicy => ({
  ...policyV1,
  name,
  constants: { ...policyV1.constants, ...constants },
});
const activate = (policy: TrustPolicy, activationsBefore: number): ActivateTrustPolicy => ({
  type: 'ActivateTrustPolicy',
  policy,
  activationsBefore,
  now,
});
const activated = (policy: TrustPolicy, previousPolicy: string): TrustPolicyActivated => ({
  type: 'TrustPolicyActivated',
  data: { policy, previousPolicy, activatedAt: now },
});
const given = givenFor(trustPolicyDecider);
const strict = policyOf('strict', { strength: 10 });

describe('activating a trust policy', () => {
  it('follows the built-in one, and later ones', () => {
    given([])
      .when(activate(strict, 0))
      .then([activated(strict, 'v1')]);
    const stricter = policyOf('stricter', { strength: 20 });
    given([activated(strict, 'v1')])
      .when(activate(stricter, 1))
      .then([activated(stricter, 'strict')]);
  });

  it('allows an earlier policy again under its own name', () => {
    given([activated(strict, 'v1')])
      .when(activate(policyV1, 1))
      .then([activated(policyV1, 'strict')]);
    // The order of keys makes no difference.
    const { strength, ...others } = strict.constants;
    const same = { ...strict, constants: { ...others, strength } };
    given([activated(strict, 'v1'), activated(policyV1, 'strict')])
      .when(activate(same, 2))
      .then([activated(same, 'v1')]);
  });

  it('refuses a name that belongs to other constants, active or not', () => {
    const other = policyOf('strict', { strength: 11 });
    const refusal = given([activated(strict, 'v1')])
      .when(activate(other, 1))
      .thenRefused('trust_policy_name_taken');
    expect(refusal.message).toContain('"strict"');
    given([activated(strict, 'v1'), activated(policyV1, 'strict')])
      .when(activate(other, 2))
      .thenRefused('trust_policy_name_taken');
    given([])
      .when(activate(policyOf('v1', { strength: 6 }), 0))
      .thenRefused('trust_policy_name_taken');
    given([activated(strict, 'v1')])
      .when(activate({ ...strict, priors: { verified: 80, unverified: 40 } }, 1))
      .thenRefused('trust_policy_name_taken');
  });

  it('refuses an activation that changes nothing', () => {
    given([]).when(activate(policyV1, 0)).thenRefused('trust_policy_active');
    given([activated(strict, 'v1')])
      .when(activate(strict, 1))
      .thenRefused('trust_policy_active');
  });

  it('refuses read models that were built before another activation', () => {
    given([activated(strict, 'v1')])
      .when(activate(policyOf('late'), 0))
      .thenRefused('trust_policy_outdated');
  });
});

it.each(['TrustPolicyActivated.v1.json', 'TrustPolicyActivated.v1.formula-v2.json'])(
  'the policy of the stored example %s can be computed with',
  (file) => {
    const golden: unknown = JSON.parse(
      readFileSync(new URL(`../../contracts/golden/${file}`, import.meta.url), 'utf8'),
    );
    const { policy } = trustPolicyActivated.event.parse(golden).data;
    expect(parsePolicy(policy)).toEqual(policy);
  },
);
