import type { TrustPolicyActivated } from '@agent-trust/contracts';
import { policyV1, type TrustPolicy } from '@agent-trust/trust-policy';

export type TrustPolicyState = {
  active: TrustPolicy;
  /** Every policy that was ever in force, by name: a name stands for the same scores for ever. */
  known: ReadonlyMap<string, TrustPolicy>;
  /** How many were activated, the built-in one that all begins with not counted. */
  activations: number;
};

/** What is in force before anybody has chosen. */
export const initialTrustPolicy: TrustPolicyState = {
  active: policyV1,
  known: new Map([[policyV1.name, policyV1]]),
  activations: 0,
};

export function evolveTrustPolicy(state: TrustPolicyState, { data }: TrustPolicyActivated): TrustPolicyState {
  return {
    active: data.policy,
    known: new Map(state.known).set(data.policy.name, data.policy),
    activations: state.activations + 1,
  };
}
