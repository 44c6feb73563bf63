import type { AgentEvidence } from '@agent-trust/trust-policy';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { scoreInForce } from '../trust-policy/queries.ts';
import { unpackEvidence } from './pack-evidence.ts';
import { type EvidenceAt, type ScoredAs, undoTo } from './undo.ts';

/** What stood behind a score at a moment, and the policy that made the score of it. */
export type ScoreAt = EvidenceAt & { trustPolicy: string };

type Row = ScoredAs & {
  trustPolicy: string;
  present: AgentEvidence | null;
  closedEvidence: string | null;
  closedUndo: string | null;
  openUndo: string | null;
};

/**
 * The evidence behind an agent's score at a position of the log, under the policy in force there; null for an unknown agent. One
 * statement, so one moment. The number of rows read and of reviews undone does not depend on the agent's past.
 *
 * @param position not before the agent's registration: there the answer would be its prior
 */
export async function findEvidenceAt(
  database: ReadModelDatabase,
  agentId: string,
  position: bigint,
): Promise<ScoreAt | null> {
  const [row] = await database.query<Row>(sql`
    SELECT e.trust_policy, e.trust_score, e.unrounded, CASE WHEN closed.undo IS NULL THEN e.evidence END AS present,
      closed.evidence AS closed_evidence, closed.undo AS closed_undo, open.undo AS open_undo
    FROM (${scoreInForce(position, sql`${agentId}::text`)}) e
    LEFT JOIN LATERAL (SELECT p.evidence, p.undo FROM trust_evidence_past p WHERE p.trust_policy = e.trust_policy
      AND p.agent_id = ${agentId} AND p.until_position > ${position}::bigint ORDER BY p.until_position LIMIT 1) closed ON true
    LEFT JOIN trust_evidence_past_open open ON open.trust_policy = e.trust_policy AND open.agent_id = ${agentId}`);
  if (row === undefined) return null;
  const { trustPolicy, trustScore, unrounded, present, closedEvidence, closedUndo, openUndo } = row;
  // Where reviews are undone, the score of the present evidence is not the one asked for: the oldest line has that.
  const evidence = present ?? unpackEvidence(closedEvidence ?? '');
  return { trustPolicy, ...undoTo(position, { trustScore, unrounded, evidence }, closedUndo ?? openUndo ?? '') };
}
