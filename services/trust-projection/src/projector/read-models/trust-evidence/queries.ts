import type { AgentEvidence } from '@agent-trust/trust-policy';
import type { ReadModelDatabase } from '../../../shared/database.ts';

export type ReviewerStandingRow = {
  universe: string;
  orgId: string | null;
  orgDomain: string | null;
  trustPolicy: string;
  trustScore: number;
  evidence: AgentEvidence;
};

/** Everything that a review freezes of its reviewer comes from this one row, or null for an unknown agent. */
export async function findReviewerStanding(
  database: ReadModelDatabase,
  agentId: string,
): Promise<ReviewerStandingRow | null> {
  const rows = await database.query<ReviewerStandingRow>({
    name: 'reviewer-standing',
    text: `SELECT a.universe, a.org_id AS "orgId", a.org_domain AS "orgDomain", e.trust_policy AS "trustPolicy",
        e.trust_score AS "trustScore", e.evidence
      FROM agent a JOIN trust_evidence e USING (agent_id) WHERE a.agent_id = $1`,
    values: [agentId],
  });
  return rows[0] ?? null;
}
