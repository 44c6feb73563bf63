import { DomainError } from '@agent-trust/contracts';
import { canonicalPolicy, type TrustPolicy } from '@agent-trust/trust-policy';

/**
 * The name of a policy goes with every score. One that has stood for some constants must never stand for others: two scores of one
 * policy could not be compared any more. Refusal: trust_policy_name_taken.
 */
export function ensureNameMeansOnePolicy(policy: TrustPolicy, known: ReadonlyMap<string, TrustPolicy>): void {
  const earlier = known.get(policy.name);
  if (earlier === undefined || canonicalPolicy(earlier) === canonicalPolicy(policy)) return;
  throw new DomainError(
    'trust_policy_name_taken',
    `the name ${JSON.stringify(policy.name)} belongs to a policy with other constants; choose another name`,
  );
}
