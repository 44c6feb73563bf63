import type { RatingRecord } from '@agent-trust/client';

export type Counterparty = {
  agentId: string;
  domain: string | null;
  reviews: number;
  meanScore: number;
  lastAt: string;
};

/** The reviewers of an agent, most reviews first. */
export function counterpartiesOf(ratings: readonly RatingRecord[]): Counterparty[] {
  const byAgent = Map.groupBy(ratings, ({ caller_agent_id: agentId }) => agentId);
  return [...byAgent]
    .map(([agentId, own]) => ({
      agentId,
      domain: own[0]?.caller_org_domain ?? null,
      reviews: own.length,
      meanScore: own.reduce((sum, { score }) => sum + score, 0) / own.length,
      lastAt: own.map(({ reviewed_at: at }) => at).reduce((one, other) => (one > other ? one : other)),
    }))
    .toSorted((one, other) => other.reviews - one.reviews || (one.agentId < other.agentId ? -1 : 1));
}
