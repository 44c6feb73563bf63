import { splitOf, type TrustPolicy } from '@agent-trust/trust-policy';
import type { Scoring } from './scoring.ts';

/** Control: the mean of what all reviews say, each counting the same for ever; the prior is what an agent without reviews has. */
export function plainMean({ constants }: TrustPolicy): Scoring {
  const agents = new Map<string, { prior: number; sum: number; count: number }>();
  return {
    setPrior: (agent, prior) => void agents.set(agent, { prior, sum: 0, count: 0 }),
    record: (agent, { success, score }) => {
      const held = agents.get(agent);
      if (held === undefined) throw new Error(`agent ${agent} was reviewed but never registered`);
      const rating = (score - 1) / 9;
      held.sum += success ? rating : constants.failureFactor * rating;
      held.count += 1;
    },
    score: (agent) => {
      const { prior, sum, count } = agents.get(agent) ?? { prior: 0, sum: 0, count: 0 };
      return Math.floor((count === 0 ? prior : (100 * sum) / count) + 0.5);
    },
    rootsOf: (_agent, orgDomain) => splitOf(orgDomain, null),
  };
}
