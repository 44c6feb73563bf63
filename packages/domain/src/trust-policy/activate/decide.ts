import { DomainError, type TrustPolicyActivated } from '@agent-trust/contracts';
import type { TrustPolicy } from '@agent-trust/trust-policy';
import type { TrustPolicyState } from '../state.ts';
import { ensureNameMeansOnePolicy } from './a-name-means-one-policy.ts';

export type ActivateTrustPolicy = {
  type: 'ActivateTrustPolicy';
  policy: TrustPolicy;
  /** Activations that the read models about to be switched to were built for. */
  activationsBefore: number;
  /** RFC 3339. */
  now: string;
};

/**
 * Puts a policy in force. An earlier one may come back under its own name. Refusals: trust_policy_outdated, trust_policy_name_taken,
 * trust_policy_active.
 */
export function activateTrustPolicy(
  { policy, activationsBefore, now }: ActivateTrustPolicy,
  state: TrustPolicyState,
): TrustPolicyActivated[] {
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
}
