import { builtInPolicies, parsePolicy, policyV1, type TrustPolicy } from '@agent-trust/trust-policy';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/**
 * SQL: one row with the policy in force at a position and an agent's last score under that policy. For the current policy this is the
 * score as of the read model's checkpoint; for a former policy, the score with which the policy ended.
 */
export function scoreInForce(position: bigint, agentId: Sql): Sql {
  return sql`
  SELECT f.trust_policy, e.trust_score, e.unrounded, e.evidence
  FROM (SELECT coalesce((SELECT p.trust_policy FROM trust_policy_activation p WHERE p.position <= ${position}::bigint
    ORDER BY p.ordinal DESC LIMIT 1), ${policyV1.name}) AS trust_policy) f
  JOIN LATERAL (
    SELECT c.trust_score, c.unrounded, c.evidence FROM trust_evidence c
      WHERE c.agent_id = ${agentId} AND c.trust_policy = f.trust_policy
    UNION ALL
    SELECT o.trust_score, o.unrounded, o.evidence FROM former_trust_evidence o
      WHERE o.account = f.trust_policy || ' ' || ${agentId}
  ) e ON true`;
}

/** Finds policies by the names that rows have. A name means the same policy for ever, so each is asked for once. */
export function policiesOf(database: ReadModelDatabase): (name: string) => Promise<TrustPolicy> {
  const known = new Map(builtInPolicies);
  return async (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const [row] = await database.query<{ policy: unknown }>(
      sql`SELECT policy FROM trust_policy_plan WHERE trust_policy = ${name} LIMIT 1`,
    );
    if (row === undefined) throw new Error(`no trust policy has the name ${name}`);
    const policy = parsePolicy(row.policy);
    known.set(name, policy);
    return policy;
  };
}
