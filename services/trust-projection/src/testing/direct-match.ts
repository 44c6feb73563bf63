import type { MatchFilters } from '../queries/match/traits.ts';
import type { MatchEntry } from '../queries/match/agent-columns.ts';
import type { ResolvedCapability } from '../queries/resolve-capabilities.ts';

/** The ranking by its definition: scores every agent by the formula, then sorts. The index must return the same. */
export function directMatch(
  agents: readonly MatchEntry[],
  question: { universe: string; capabilities: readonly ResolvedCapability[] | null; filters: MatchFilters },
): { agentId: string; matchScore: number }[] {
  const { universe, capabilities, filters } = question;
  const required = [...new Set((capabilities ?? []).map((resolved) => resolved.required))];
  const strengthsOf = (agent: MatchEntry): number[] =>
    required.map((name) => {
      const strengths = (capabilities ?? [])
        .filter((resolved) => resolved.required === name)
        .flatMap(({ canonical, similarity }) =>
          agent.capabilities.filter((held) => held.name === canonical).map(({ weight }) => similarity * weight),
        );
      return Math.max(0, ...strengths);
    });
  return agents
    .filter((agent) => {
      if (agent.universe !== universe || !agent.routable) return false;
      if (capabilities !== null && strengthsOf(agent).every((strength) => strength === 0)) return false;
      if (filters.live && !agent.isLive) return false;
      if (filters.messageProtocol !== null && agent.messageProtocol !== filters.messageProtocol) return false;
      if (filters.orgName !== null && agent.orgNameKey !== filters.orgName.toLowerCase()) return false;
      const rails = filters.settlementRail;
      return rails === null || agent.settlementRail.some((rail) => rails.includes(rail));
    })
    .map((agent) => {
      const sum = strengthsOf(agent).reduce((total, strength) => total + strength, 0);
      const capability = required.length === 0 ? 0 : sum / (3 * required.length);
      return { agent, steps: Math.floor((0.6 * capability + agent.matchBase) * 10_000 + 0.5) };
    })
    .toSorted(
      (a, b) =>
        b.steps - a.steps ||
        b.agent.trustScore - a.agent.trustScore ||
        b.agent.otherOrgTransactionCount - a.agent.otherOrgTransactionCount ||
        Buffer.compare(Buffer.from(a.agent.agentId), Buffer.from(b.agent.agentId)),
    )
    .map(({ agent, steps }) => ({ agentId: agent.agentId, matchScore: steps / 10_000 }));
}
