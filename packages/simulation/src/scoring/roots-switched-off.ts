import { splitOf, type TrustPolicy } from '@agent-trust/trust-policy';
import { scoringByPolicy } from './by-policy.ts';
import type { Scoring } from './scoring.ts';

/** Control: an unaffiliated reviewer is a root of its own instead of passing on the roots that raised it. All else is the policy's. */
export function rootsSwitchedOff(policy: TrustPolicy): Scoring {
  return {
    ...scoringByPolicy(policy),
    rootsOf: (agent, orgDomain) => splitOf(orgDomain, { [`agent:${agent}`]: 1 }),
  };
}
