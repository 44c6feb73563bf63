import { type AnyTrustPolicy, parsePolicy, policyV1 } from '@agent-trust/trust-policy';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/**
 * SQL: one row with the policy in force at a position, and the step that an agent's evidence had come to there under that policy, with the
 * score after it. No row before the agent's registration.
 */
export function scoreInForce(position: bigint, agentId: Sql): Sql {
  return sql`
  SELECT f.trust_policy, s.trust_score, s.unrounded, s.window_position, s.step
  FROM (SELECT coalesce((SELECT p.trust_policy FROM trust_policy_activation p WHERE p.position <= ${position}::bigint
    ORDER BY p.ordinal DESC LIMIT 1), ${policyV1.name}) AS trust_policy) f
  JOIN LATERAL (
    SELECT x.trust_score, x.unrounded, x.window_position, x.step FROM trust_evidence_step x
    WHERE x.trust_policy = f.trust_policy AND x.agent_id = ${agentId} AND x.window_position <= ${position}::bigint
      AND x.position <= ${position}::bigint
    ORDER BY x.window_position DESC, x.step DESC LIMIT 1
  ) s ON true`;
}

/** Finds a policy by its name. */
export type PolicyNamed = (name: string) => AnyTrustPolicy | Promise<AnyTrustPolicy>;

/**
 * Finds policies by the names that rows have. A name means the same policy for ever, so each is asked for once; only the one that every log begins
 * with is not in the plan.
 */
export function policiesOf(database: ReadModelDatabase): (name: string) => Promise<AnyTrustPolicy> {
  const known = new Map<string, AnyTrustPolicy>([[policyV1.name, policyV1]]);
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
