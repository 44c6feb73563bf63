import type { AgentConfiguration, SealedText } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/** An agent with its standing: all that any view of it is made from. */
export type AgentRecord = {
  agentId: string;
  universe: string;
  orgId: string | null;
  orgName: string | null;
  orgDomain: string | null;
  verified: boolean;
  contactInfo: SealedText | null;
  relatedAgentId: string | null;
  configuration: AgentConfiguration;
  registeredAt: Date;
  trustPolicy: string;
  trustScore: number;
  transactionCount: number;
  reviewCount: number;
  successCount: number;
  lastActive: Date;
  lastTransactionAt: Date | null;
};

/** What `AgentRecord` has, of `agent a` and `agent_standing s`. */
export const agentRecordColumns = `a.agent_id AS "agentId", a.universe, a.org_id AS "orgId", a.org_name AS "orgName",
  a.org_domain AS "orgDomain", a.verified, a.contact_info AS "contactInfo", a.related_agent_id AS "relatedAgentId", a.configuration,
  a.registered_at AS "registeredAt", s.trust_policy AS "trustPolicy", s.trust_score AS "trustScore",
  s.transaction_count AS "transactionCount", s.review_count AS "reviewCount", s.success_count AS "successCount",
  s.last_active AS "lastActive", s.last_transaction_at AS "lastTransactionAt"`;

/** The agents with these ids, in no particular order; unknown ids are left out. */
export function findAgents(database: ReadModelDatabase, agentIds: readonly string[]): Promise<AgentRecord[]> {
  return database.query<AgentRecord>({
    name: 'agents-by-id',
    text: `SELECT ${agentRecordColumns}
      FROM agent a JOIN agent_standing s USING (agent_id) WHERE a.agent_id = ANY ($1::text[])`,
    values: [agentIds],
  });
}
