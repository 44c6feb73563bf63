import { canonicalPolicy, policyV1, type TrustPolicy } from '@agent-trust/trust-policy';

/**
 * The policies that a read model is built for, in the order in which the log puts them in force. The first is the built-in one that every
 * log begins with; the last makes the current scores.
 */
export type PolicyPlan = readonly TrustPolicy[];

/** The plan of a log in which nobody has chosen a policy. */
export const builtInPlan: PolicyPlan = [policyV1];

/** The policy of the current scores. */
export function currentPolicy(plan: PolicyPlan): TrustPolicy {
  const [last] = plan.slice(-1);
  if (last === undefined) throw new Error('a plan has one policy at least');
  return last;
}

/** A policy that is not the current one: its evidence is carried on until the activation with this ordinal has ended it for good. */
export type FormerPolicy = { policy: TrustPolicy; endedBy: number };

/** The former policies of a plan, each once, however often it was in force. */
export function formerPolicies(plan: PolicyPlan): readonly FormerPolicy[] {
  const { name: current } = currentPolicy(plan);
  const former = new Map<string, FormerPolicy>();
  plan.forEach((policy, ordinal) => {
    if (policy.name !== current) former.set(policy.name, { policy, endedBy: ordinal + 1 });
  });
  return [...former.values()];
}

/** Whether two plans have the same policies in the same order. */
export function isSamePlan(a: PolicyPlan, b: PolicyPlan): boolean {
  return JSON.stringify(a.map(canonicalPolicy)) === JSON.stringify(b.map(canonicalPolicy));
}
