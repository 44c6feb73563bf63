import type { AgentEvidence } from '@agent-trust/trust-policy';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { scoreInForce } from '../trust-policy/queries.ts';
import { evidenceAfter } from './steps.ts';
import type { TrustEvidenceRow } from './tables.ts';

/** SQL: the steps up to one of them, as `evidenceAfter` takes them. `last` is a row of trust_evidence or of `scoreInForce`. */
export function stepsUpTo(agentId: Sql, last: Sql): Sql {
  return sql`
  SELECT string_agg(x.change, ',' ORDER BY x.step) FROM trust_evidence_step x
  WHERE x.trust_policy = ${last}.trust_policy AND x.agent_id = ${agentId}
    AND x.window_position = ${last}.window_position AND x.step <= ${last}.step`;
}

/** What stood behind a score at a moment, and the policy that made the score of it. */
export type ScoreAt = Pick<TrustEvidenceRow, 'trustPolicy' | 'trustScore' | 'unrounded'> & { evidence: AgentEvidence };

/**
 * The evidence behind a registered agent's score at a position of the log, under the policy in force there. One statement, so one moment.
 * The number of rows read does not depend on the agent's past.
 *
 * @param position not before the agent's registration
 */
export async function evidenceAt(database: ReadModelDatabase, agentId: string, position: bigint): Promise<ScoreAt> {
  const [row] = await database.query<Omit<ScoreAt, 'evidence'> & { steps: string }>(sql`
    SELECT e.trust_policy, e.trust_score, e.unrounded, (${stepsUpTo(sql`${agentId}::text`, sql`e`)}) AS steps
    FROM (${scoreInForce(position, sql`${agentId}::text`)}) e`);
  if (row === undefined) throw new Error(`agent ${agentId} has no evidence`);
  const { steps, ...score } = row;
  return { ...score, evidence: evidenceAfter(steps) };
}
