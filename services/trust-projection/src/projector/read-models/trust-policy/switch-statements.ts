import type { ReadModel } from '@agent-trust/projections';
import type { ProjectedRegistryEvent } from '../registry-event.ts';
import { currentPolicy, type PolicyPlan } from './policy-plan.ts';
import { ordinalOf } from './projection.ts';

/** A switch keeps every agent's score by both policies, and adds those that differ to the agents' histories. */
export function switchStatements(plan: PolicyPlan): NonNullable<ReadModel<ProjectedRegistryEvent>['bulk']> {
  const isCurrent = (policy: string): boolean => policy === currentPolicy(plan).name;
  const tableOf = (policy: string): string => (isCurrent(policy) ? 'trust_evidence' : 'former_trust_evidence');
  // Both tables have a primary key and no other index, and a replay's sessions join row by row: what is joined is asked for by that key.
  const keyOf = (policy: string, parameter: string): string =>
    isCurrent(policy) ? 'a.agent_id = b.agent_id' : `a.account = ${parameter}::text || ' ' || b.agent_id`;
  return {
    types: ['TrustPolicyActivated'],
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
            FROM ${tableOf(before)} b JOIN ${tableOf(after)} a ON ${keyOf(after, '$3')}
            WHERE b.trust_policy = $2::text AND a.trust_policy = $3::text`,
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
}
