import {
  type AgentEvidence,
  type AnyTrustPolicy,
  type EvidenceV2,
  rulesOfV2,
  type TrustPolicy,
  type TrustPolicyV2,
} from '@agent-trust/trust-policy';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { type PolicyNamed, scoreInForce } from '../trust-policy/queries.ts';
import { evidenceAfter } from './steps.ts';
import { markedEvidenceAfter } from './v2/marked-steps.ts';

/** SQL: the steps up to one of them, as `evidenceIn` takes them. `last` is a row of trust_evidence or of `scoreInForce`. */
export function stepsUpTo(agentId: Sql, last: Sql): Sql {
  return sql`
  SELECT string_agg(x.change, ',' ORDER BY x.step) FROM trust_evidence_step x
  WHERE x.trust_policy = ${last}.trust_policy AND x.agent_id = ${agentId}
    AND x.window_position = ${last}.window_position AND x.step <= ${last}.step`;
}

/** An agent's evidence in the form of its policy's formula. */
export type AgentEvidenceIn =
  | { formula: 'v1'; policy: TrustPolicy; evidence: AgentEvidence }
  | { formula: 'v2'; policy: TrustPolicyV2; evidence: EvidenceV2 };

/** The evidence that steps lead to under their policy. */
export function evidenceIn(policy: AnyTrustPolicy, steps: string): AgentEvidenceIn {
  return policy.formula === 'v1'
    ? { formula: 'v1', policy, evidence: evidenceAfter(steps) }
    : { formula: 'v2', policy, evidence: markedEvidenceAfter(steps, rulesOfV2(policy)) };
}

/** What was said of an agent by then, void reviews too. */
export function reviewCountOf(found: AgentEvidenceIn): number {
  return found.formula === 'v1' ? found.evidence.reviewCount : found.evidence.sums.reviewCount;
}

/**
 * The evidence behind a registered agent's score at a position of the log, under the policy in force there. One statement, so one moment.
 * The number of rows read does not depend on the agent's past.
 *
 * @param position not before the agent's registration
 */
export async function evidenceAt(
  database: ReadModelDatabase,
  policyNamed: PolicyNamed,
  agentId: string,
  position: bigint,
): Promise<AgentEvidenceIn> {
  const [row] = await database.query<{ trustPolicy: string; steps: string }>(sql`
    SELECT e.trust_policy, (${stepsUpTo(sql`${agentId}::text`, sql`e`)}) AS steps
    FROM (${scoreInForce(position, sql`${agentId}::text`)}) e`);
  if (row === undefined) throw new Error(`agent ${agentId} has no evidence`);
  return evidenceIn(await policyNamed(row.trustPolicy), row.steps);
}
