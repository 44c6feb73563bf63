import { builtInPolicies, parsePolicy, policyV1, type TrustPolicy } from '@agent-trust/trust-policy';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/**
 * SQL: one row with the policy in force at a position, and with each score by it that an agent had last, `present` as of the read model's
 * checkpoint: of the current policy that is its score now, of a former one that with which it ended.
 *
 * @param position an expression of type bigint
 * @param agentId an expression of type text
 */
export function scoreInForceSql(position: string, agentId: string): string {
  return `
  SELECT f.trust_policy, e.trust_score, e.unrounded, e.evidence
  FROM (SELECT coalesce((SELECT p.trust_policy FROM trust_policy_activation p WHERE p.position <= ${position}
    ORDER BY p.ordinal DESC LIMIT 1), '${policyV1.name}') AS trust_policy) f
  JOIN LATERAL (
    SELECT c.trust_score, c.unrounded, c.evidence FROM trust_evidence c
      WHERE c.agent_id = ${agentId} AND c.trust_policy = f.trust_policy
    UNION ALL
    SELECT o.trust_score, o.unrounded, o.evidence FROM former_trust_evidence o
      WHERE o.account = f.trust_policy || ' ' || ${agentId}
  ) e ON true`;
}

/** The policy that a score was made by. */
export type PolicyNamed = (name: string) => Promise<TrustPolicy>;

/** Finds policies by the names that rows have. A name means the same policy for ever, so each is asked for once. */
export function policiesOf(database: ReadModelDatabase): PolicyNamed {
  const known = new Map(builtInPolicies);
  return async (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const [row] = await database.query<{ policy: unknown }>({
      name: 'trust-policy-by-name',
      text: 'SELECT policy FROM trust_policy_plan WHERE trust_policy = $1 LIMIT 1',
      values: [name],
    });
    if (row === undefined) throw new Error(`no trust policy has the name ${name}`);
    const policy = parsePolicy(row.policy);
    known.set(name, policy);
    return policy;
  };
}
