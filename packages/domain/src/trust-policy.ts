import { DomainError, type TrustPolicyActivated } from '@agent-trust/contracts';
import { type AnyTrustPolicy, builtInPolicies, canonicalPolicy, policyV1 } from '@agent-trust/trust-policy';
import type { Decider } from './decider.ts';

export type ActivateTrustPolicy = {
  type: 'ActivateTrustPolicy';
  policy: AnyTrustPolicy;
  /** The number of activations for which the new read models were built. */
  activationsBefore: number;
  /** RFC 3339. */
  now: string;
};

type TrustPolicyState = {
  active: AnyTrustPolicy;
  /** The released policies and every one that was ever active, by name: a log that has named its own like one released later keeps it. */
  known: ReadonlyMap<string, AnyTrustPolicy>;
  /** The number of activations, without the initial policy. */
  activations: number;
};

/** An earlier policy may be activated again under its own name. Refusals: trust_policy_outdated, trust_policy_name_taken, trust_policy_active. */
const activateTrustPolicy = (
  { policy, activationsBefore, now }: ActivateTrustPolicy,
  state: TrustPolicyState,
): TrustPolicyActivated[] => {
  if (state.activations !== activationsBefore) {
    throw new DomainError(
      'trust_policy_outdated',
      `another trust policy was activated meanwhile: ${JSON.stringify(state.active.name)} is in force`,
    );
  }
  ensureNameMeansOnePolicy(policy, state.known);
  if (policy.name === state.active.name) {
    throw new DomainError('trust_policy_active', `trust policy ${JSON.stringify(policy.name)} is in force already`);
  }
  return [{ type: 'TrustPolicyActivated', data: { policy, previousPolicy: state.active.name, activatedAt: now } }];
};

/** Every score names its policy, so a name must always mean the same constants: else two scores of one policy could not be compared. */
const ensureNameMeansOnePolicy = (policy: AnyTrustPolicy, known: ReadonlyMap<string, AnyTrustPolicy>): void => {
  const earlier = known.get(policy.name);
  if (earlier === undefined || canonicalPolicy(earlier) === canonicalPolicy(policy)) return;
  throw new DomainError(
    'trust_policy_name_taken',
    `the name ${JSON.stringify(policy.name)} belongs to a policy with other constants; choose another name`,
  );
};

/** The rules of the stream of trust policies (`trustPolicyStream`). */
export const trustPolicyDecider: Decider<ActivateTrustPolicy, TrustPolicyState, TrustPolicyActivated> = {
  initialState: { active: policyV1, known: builtInPolicies, activations: 0 },
  evolve: (state, { data: { policy } }) => ({
    active: policy,
    known: new Map(state.known).set(policy.name, policy),
    activations: state.activations + 1,
  }),
  decide: activateTrustPolicy,
};
