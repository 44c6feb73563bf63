import type { AgentEvidence } from '@agent-trust/trust-policy';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { scoreInForceSql } from '../trust-policy/queries.ts';
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
 * The evidence behind an agent's score as it was at a position of the log, under the policy in force there; null for an agent that nobody registered. One statement, so one
 * moment; the rows read and the reviews undone are as many whatever the agent's past.
 *
 * @param position not before the agent's registration: there its prior would be answered
 */
export async function findEvidenceAt(
  database: ReadModelDatabase,
  agentId: string,
  position: bigint,
): Promise<ScoreAt | null> {
  const [row] = await database.query<Row>({
    name: 'evidence-at-position',
    text: `SELECT e.trust_policy AS "trustPolicy", e.trust_score AS "trustScore", e.unrounded,
        CASE WHEN closed.undo IS NULL THEN e.evidence END AS present,
        closed.evidence AS "closedEvidence", closed.undo AS "closedUndo", open.undo AS "openUndo"
      FROM (${scoreInForceSql('$2::bigint', '$1::text')}) e
      LEFT JOIN LATERAL (SELECT p.evidence, p.undo FROM trust_evidence_past p WHERE p.trust_policy = e.trust_policy
        AND p.agent_id = $1::text AND p.until_position > $2::bigint ORDER BY p.until_position LIMIT 1) closed ON true
      LEFT JOIN trust_evidence_past_open open ON open.trust_policy = e.trust_policy AND open.agent_id = $1::text`,
    values: [agentId, String(position)],
  });
  if (row === undefined) return null;
  const { trustPolicy, trustScore, unrounded, present, closedEvidence, closedUndo, openUndo } = row;
  // The score of the later evidence is not what is asked for where something is undone; then a line tells it.
  const evidence = present ?? unpackEvidence(closedEvidence ?? '');
  return { trustPolicy, ...undoTo(position, { trustScore, unrounded, evidence }, closedUndo ?? openUndo ?? '') };
}
