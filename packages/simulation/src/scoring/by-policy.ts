import { TrustLedger, type TrustPolicy } from '@agent-trust/trust-policy';
import type { Scoring } from './scoring.ts';

/** Scores by a trust policy, carried forward as the registry's read model does. */
export function scoringByPolicy(policy: TrustPolicy): Scoring {
  const ledger = new TrustLedger(policy);
  const scores = new Map<string, number>();
  return {
    setPrior: (agent, prior) => {
      ledger.setPrior(agent, prior);
      scores.set(agent, ledger.score(agent).score);
    },
    record: (agent, review) => void scores.set(agent, ledger.record(agent, review).score),
    score: (agent) => scores.get(agent) ?? 0,
    rootsOf: (agent, orgDomain) => ledger.rootsOf(agent, orgDomain),
  };
}
