import sql from 'sql-template-tag';
import { type AgentRecord, agentRecordColumns } from '../../projector/read-models/agent-directory/queries.ts';
import type { PastAgent } from '../../projector/read-models/agent-directory/table.ts';
import { heldAt } from '../../projector/read-models/agent-standing/past.ts';
import { packConfidence } from '../../projector/read-models/agent-standing/confidence.ts';
import { type PolicyNamed, scoreInForce } from '../../projector/read-models/trust-policy/queries.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { explainScore } from '../explain-trust.ts';

type Row = AgentRecord & {
  past: PastAgent | null;
  contactIsGone: boolean;
  closedStandings: string | null;
  openStandings: string | null;
  policyThen: string;
  scoreThen: number;
};

/**
 * An agent as it was at a position of the log; null if not registered by then. All but the confidence is from one
 * statement, so of one moment; an index leads to each row. The evidence behind the confidence is of the past, which stays.
 * A contact that its owner has cleared since, or that was erased, is null for every moment.
 */
export async function findAgentAt(
  database: ReadModelDatabase,
  policyNamed: PolicyNamed,
  agentId: string,
  position: bigint,
): Promise<AgentRecord | null> {
  const [row] = await database.query<Row>(sql`
    SELECT ${agentRecordColumns}, past.agent AS past,
      EXISTS (SELECT FROM agent_past h WHERE h.agent_id = a.agent_id AND h.hides_contacts
        AND h.until_position > ${position}::bigint) AS contact_is_gone,
      closed.entries AS closed_standings, open.entries AS open_standings,
      scored.trust_policy AS policy_then, changed.trust_score AS score_then
    FROM agent a JOIN agent_standing s USING (agent_id)
    JOIN LATERAL (SELECT position FROM trust_history h WHERE h.agent_id = a.agent_id ORDER BY position LIMIT 1) registered
      ON registered.position <= ${position}::bigint
    LEFT JOIN LATERAL (SELECT agent FROM agent_past p WHERE p.agent_id = a.agent_id AND p.until_position > ${position}::bigint
      ORDER BY p.until_position LIMIT 1) past ON true
    LEFT JOIN LATERAL (SELECT entries FROM agent_standing_past p WHERE p.agent_id = a.agent_id
      AND p.until_position > ${position}::bigint ORDER BY p.until_position LIMIT 1) closed ON true
    LEFT JOIN agent_standing_past_open open ON open.agent_id = a.agent_id
    JOIN LATERAL (${scoreInForce(position, sql`a.agent_id`)}) scored ON true
    JOIN LATERAL (SELECT trust_score FROM trust_history h WHERE h.agent_id = a.agent_id AND h.position <= ${position}::bigint
      ORDER BY h.position DESC LIMIT 1) changed ON true
    WHERE a.agent_id = ${agentId}`);
  if (row === undefined) return null;
  const { score } = await explainScore(database, policyNamed, { agentId, position });
  return { ...recordAt(row, position), confidence: packConfidence(score.confidence) };
}

const recordAt = (row: Row, position: bigint): AgentRecord => {
  const earned = heldAt(row.closedStandings ?? row.openStandings ?? '', position);
  const record: AgentRecord = { ...row, ...row.past, ...earned };
  return {
    ...record,
    trustPolicy: row.policyThen,
    trustScore: row.scoreThen,
    contactInfo: row.contactIsGone ? null : record.contactInfo,
  };
};
