import type pg from 'pg';
import type { MatchQuestion } from './match-questions.ts';

type Agent = {
  agent_id: string;
  org_name: string | null;
  message_protocol: string;
  settlement_rail: string[];
  capabilities: { name: string; weight: number }[];
  trust_score: number;
  other_org_transaction_count: number;
  review_count: number;
  success_count: number;
};

/** Every routable agent of production, as the tables hold it. */
export async function readMarket(client: pg.Client): Promise<Agent[]> {
  const { rows } = await client.query<Agent>(
    `SELECT agent_id, a.org_name, a.message_protocol, a.settlement_rail, a.configuration->'capabilities' AS capabilities,
       s.trust_score, s.other_org_transaction_count, s.review_count, s.success_count
     FROM read_models.agent a JOIN read_models.agent_standing s USING (agent_id)
     WHERE a.universe = 'production' AND a.configuration->>'endpointUrl' IS NOT NULL`,
  );
  return rows;
}

/** Lower bound of the Wilson score interval. */
const wilson = (successes: number, reviews: number): number => {
  if (reviews === 0) return 0;
  const z = 1.959963984540054;
  const p = successes / reviews;
  const spread = z * Math.sqrt((p * (1 - p)) / reviews + z ** 2 / (4 * reviews ** 2));
  return Math.max(0, (p + z ** 2 / (2 * reviews) - spread) / (1 + z ** 2 / reviews));
};

const scoreOf = (agent: Agent, required: readonly string[]): number => {
  const weights = required.map((name) => agent.capabilities.find((held) => held.name === name)?.weight ?? 0);
  const capability = required.length === 0 ? 0 : weights.reduce((sum, weight) => sum + weight / 3, 0) / required.length;
  return (
    0.6 * capability +
    (0.25 * agent.trust_score) / 100 +
    0.1 * wilson(agent.success_count, agent.review_count) +
    0.05 * Math.min(1, Math.log10(1 + agent.other_org_transaction_count) / 4)
  );
};

const passes = (agent: Agent, question: MatchQuestion): boolean =>
  (question.required_capabilities?.some((name) => agent.capabilities.some((held) => held.name === name)) ?? true) &&
  (question.settlement_rail?.some((rail) => agent.settlement_rail.includes(rail)) ?? true) &&
  (question.org_name === undefined || agent.org_name?.toLowerCase() === question.org_name.toLowerCase()) &&
  (question.message_protocol === undefined || agent.message_protocol === question.message_protocol);

/** The whole ranking, computed straight from the formula: scores every agent that passes the filters, then sorts all of them. */
export function directRanking(agents: readonly Agent[], question: MatchQuestion): { id: string; score: number }[] {
  return agents
    .filter((agent) => passes(agent, question))
    .map((agent) => ({ agent, score: scoreOf(agent, question.required_capabilities ?? []) }))
    .map(({ agent, score }) => ({ agent, score: Math.round(score * 10_000) / 10_000 }))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        b.agent.trust_score - a.agent.trust_score ||
        b.agent.other_org_transaction_count - a.agent.other_org_transaction_count ||
        Buffer.compare(Buffer.from(a.agent.agent_id), Buffer.from(b.agent.agent_id)),
    )
    .map(({ agent, score }) => ({ id: agent.agent_id, score }));
}
