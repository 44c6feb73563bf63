import { defineTable, type Rows, type Wanted } from '@agent-trust/projections';
import { type AnyTrustPolicy, canonicalPolicy } from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { currentPolicy, type FormerPolicy, type PolicyPlan } from './policy-plan.ts';

/** Of each schema: what it was built for. No projection writes it. */
export const trustPolicyPlanTable = 'trust_policy_plan';

/** The activation with this ordinal has been met. */
export const trustPolicyActivations = defineTable({
  name: 'trust_policy_activation',
  columns: {
    ordinal: 'integer',
    trustPolicy: 'text',
    previousPolicy: 'text',
    position: 'bigint',
    at: 'timestamptz',
    eventId: 'text',
  },
  key: ['ordinal'],
});

/** An agent's score by both policies when one followed the other. Written for all agents at once: see switch-statements.ts. */
export const trustPolicySwitches = defineTable({
  name: 'trust_policy_switch',
  columns: {
    agentId: 'text',
    position: 'bigint',
    previousPolicy: 'text',
    previousScore: 'integer',
    previousUnrounded: 'double precision',
    trustPolicy: 'text',
    trustScore: 'integer',
    unrounded: 'double precision',
  },
  key: ['agentId', 'position'],
  appendOnly: true,
});

/** The ordinal of the policy that an event of the stream puts in force: its first event follows the built-in policy. */
export function ordinalOf({ revision }: Pick<ProjectedRegistryEvent, 'revision'>): number {
  return Number(revision) + 1;
}

/** Follows which policy is in force. Stops at an activation that the read model was not built for: it would score wrongly from there on. */
export function trustPolicyProjection(plan: PolicyPlan): RegistryProjection {
  return {
    name: 'trust-policy',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [trustPolicyActivations, trustPolicySwitches],
    reads: () => undefined,
    apply: (event, rows) => {
      if (event.type !== 'TrustPolicyActivated') return;
      const { policy, previousPolicy, activatedAt } = event.data;
      const ordinal = ordinalOf(event);
      const planned = plan[ordinal];
      if (planned === undefined || canonicalPolicy(planned) !== canonicalPolicy(policy)) {
        throw new Error(
          `trust policy ${policy.name} is in force from here on, and the read models were not built for it; npm run replay builds them`,
        );
      }
      rows.put(trustPolicyActivations, {
        ordinal,
        trustPolicy: policy.name,
        previousPolicy,
        position: event.position,
        at: new Date(activatedAt),
        eventId: event.eventId,
      });
    },
  };
}

/** Declares the rows that `policyInForce` and `isCarriedOn` read; none with a plan of one policy. */
export function wantInForce(plan: PolicyPlan, wanted: Wanted): void {
  for (let ordinal = 1; ordinal < plan.length; ordinal += 1) wanted.row(trustPolicyActivations, ordinal);
}

/** The policy whose scores hold at the present event. */
export function policyInForce(plan: PolicyPlan, rows: Pick<Rows, 'get'>): AnyTrustPolicy {
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
