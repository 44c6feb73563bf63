import { canonicalPolicy } from '@agent-trust/trust-policy';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import type { PolicyPlan } from './policy-plan.ts';
import { trustPolicyActivations, trustPolicySwitches } from './tables.ts';

export type Activated = Extract<ProjectedRegistryEvent, { type: 'TrustPolicyActivated' }>;

/** The ordinal of the policy that an event of the stream puts in force: its first event follows the built-in policy. */
export function ordinalOf(event: Pick<Activated, 'revision'>): number {
  return Number(event.revision) + 1;
}

/**
 * Follows which policy is in force. A read model computes the scores of the policies that it was built for and of no other: at an
 * activation that was not planned it stops for good, because everything after it would be scored wrongly.
 */
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
          `trust policy ${policy.name} is in force from here on, and the read models were not built for it; pnpm replay builds them`,
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
