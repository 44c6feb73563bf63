import type { Demo } from '@agent-trust/client';

/** How scores went in the demo: for each agent its score at each of the times, null before it has one. */
export type DemoCourses = {
  times: number[];
  agents: { agentId: string; scores: (number | null)[] }[];
};

/** As many as a chart has colours for: those with the most steps. */
const agentsMax = 4;

/** The scores that the demo's steps name, as courses over time. A step without one leaves the scores as they are. */
export function coursesOf(steps: Demo['steps']): DemoCourses {
  const scored = steps.flatMap(({ at, agent_id: agentId, trust_score: score, trust_score_before: before }) =>
    agentId === null || score === null ? [] : [{ at: Date.parse(at), agentId, score, before }],
  );
  const counts = Map.groupBy(scored, ({ agentId }) => agentId);
  const shown = [...counts].toSorted(([, one], [, other]) => other.length - one.length).slice(0, agentsMax);
  const times = scored.map(({ at }) => at);
  return {
    times,
    agents: shown.map(([agentId]) => {
      let score: number | null = null;
      const scores = scored.map((step) => {
        if (step.agentId === agentId) ({ score } = step);
        return score;
      });
      return { agentId, scores };
    }),
  };
}
