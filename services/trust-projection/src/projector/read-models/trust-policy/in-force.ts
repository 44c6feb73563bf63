import type { Rows, Wanted } from '@agent-trust/projections';
import type { TrustPolicy } from '@agent-trust/trust-policy';
import { currentPolicy, type FormerPolicy, type PolicyPlan } from './policy-plan.ts';
import { trustPolicyActivations } from './tables.ts';

/** Asks for what the functions below look at. With a plan of one policy that is nothing. */
export function wantInForce(plan: PolicyPlan, wanted: Wanted): void {
  for (let ordinal = 1; ordinal < plan.length; ordinal += 1) wanted.row(trustPolicyActivations, ordinal);
}

/** The policy whose scores hold at the present event. */
export function policyInForce(plan: PolicyPlan, rows: Pick<Rows, 'get'>): TrustPolicy {
  for (let ordinal = plan.length - 1; ordinal > 0; ordinal -= 1) {
    const policy = plan[ordinal];
    if (policy !== undefined && rows.get(trustPolicyActivations, ordinal) !== undefined) return policy;
  }
  return plan[0] ?? currentPolicy(plan);
}

/** Whether a former policy is still in force at the present event, or will be once more. */
export function isCarriedOn({ endedBy }: FormerPolicy, rows: Pick<Rows, 'get'>): boolean {
  return rows.get(trustPolicyActivations, endedBy) === undefined;
}
