import type { ReadModel } from '@agent-trust/projections';
import type { ProjectedRegistryEvent } from '../registry-event.ts';
import { currentPolicy, type PolicyPlan } from './policy-plan.ts';
import { ordinalOf } from './projection.ts';

/**
 * What a switch does to all agents at once: keeps the score of each by both policies, and writes those that differ into its history,
 * with the switch as their cause.
 */
export const switchStatements = (plan: PolicyPlan): NonNullable<ReadModel<ProjectedRegistryEvent>['bulk']> => {
  const isCurrent = (policy: string): boolean => policy === currentPolicy(plan).name;
  const scoresOf = (policy: string, parameter: string): string =>
    isCurrent(policy)
      ? `(SELECT agent_id, trust_score, unrounded FROM trust_evidence WHERE trust_policy = ${parameter}::text)`
      : `(SELECT agent_id, trust_score, unrounded FROM former_trust_evidence WHERE trust_policy = ${parameter}::text)`;
  return {
    types: new Set(['TrustPolicyActivated']),
    statements: (event) => {
      if (event.type !== 'TrustPolicyActivated') return [];
      const before = plan[ordinalOf(event) - 1]?.name ?? '';
      const after = event.data.policy.name;
      const position = String(event.position);
      return [
        {
          text: `INSERT INTO trust_policy_switch (agent_id, position, previous_policy, previous_score, previous_unrounded,
              trust_policy, trust_score, unrounded)
            SELECT b.agent_id, $1::bigint, $2::text, b.trust_score, b.unrounded, $3::text, a.trust_score, a.unrounded
            FROM ${scoresOf(before, '$2')} b JOIN ${scoresOf(after, '$3')} a USING (agent_id)`,
          values: [position, before, after],
        },
        {
          text: `INSERT INTO trust_history (agent_id, position, at, trust_policy, trust_score, previous_score,
              cause_type, cause_event_id, transaction_id)
            SELECT agent_id, position, $2::timestamptz, trust_policy, trust_score, previous_score, $3::text, $4::text, NULL
            FROM trust_policy_switch WHERE position = $1::bigint AND trust_score <> previous_score`,
          values: [position, event.data.activatedAt, event.type, event.eventId],
        },
      ];
    },
  };
};
