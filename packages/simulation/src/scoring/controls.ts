import { parsePolicyV1, type PolicyConstants, splitOf, type TrustPolicy } from '@agent-trust/trust-policy';
import { type Scoring, scoringByPolicy } from './scoring.ts';

/** One root domain may hold all weight. All else is the policy's. */
const capSwitchedOff = ({ name, formula, constants, priors }: TrustPolicy): Scoring =>
  scoringByPolicy(
    parsePolicyV1({ name: `${name}-no-cap`, formula, constants: { ...constants, rootShareMax: 1 }, priors }),
  );

/** An unaffiliated reviewer is a root of its own instead of passing on the roots that raised it. All else is the policy's. */
export function rootsSwitchedOff(policy: TrustPolicy): Scoring {
  return {
    ...scoringByPolicy(policy),
    rootsOf: (agent, orgDomain) => splitOf(orgDomain, { [`agent:${agent}`]: 1 }),
  };
}

/** The mean of what all reviews say, each with the same constant weight; the prior is the score of an agent without reviews. */
export function plainMean({ constants }: { constants: Pick<PolicyConstants, 'failureFactor'> }): Scoring {
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

/** Replaces the policy in the same simulation, to show that not every way of scoring meets the gate. */
export const controls = {
  'roots switched off': rootsSwitchedOff,
  'cap switched off': capSwitchedOff,
  'plain mean': plainMean,
} as const satisfies Record<string, (policy: TrustPolicy) => Scoring>;

export type ControlName = keyof typeof controls;
