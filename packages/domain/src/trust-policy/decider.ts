import type { TrustPolicyActivated } from '@agent-trust/contracts';
import type { Decider } from '../decider.ts';
import { type ActivateTrustPolicy, activateTrustPolicy } from './activate/decide.ts';
import { evolveTrustPolicy, initialTrustPolicy, type TrustPolicyState } from './state.ts';

/** The rules of the stream of trust policies (`trustPolicyStream`). */
export const trustPolicyDecider: Decider<ActivateTrustPolicy, TrustPolicyState, TrustPolicyActivated> = {
  initialState: initialTrustPolicy,
  evolve: evolveTrustPolicy,
  decide: activateTrustPolicy,
};
