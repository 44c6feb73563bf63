import { policyV1, type TrustPolicy } from './trust-policy.ts';
import { policyV2, type TrustPolicyV2 } from './trust-policy-v2.ts';

/** A policy of any formula. */
export type AnyTrustPolicy = TrustPolicy | TrustPolicyV2;

/** The policies that come with the registry. */
export const builtInPolicies: ReadonlyMap<string, AnyTrustPolicy> = new Map<string, AnyTrustPolicy>([
  [policyV1.name, policyV1],
  [policyV2.name, policyV2],
]);
