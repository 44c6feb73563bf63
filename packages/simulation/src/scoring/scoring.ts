import { type Review, TrustLedger, type TrustPolicy } from '@agent-trust/trust-policy';

/** A way to make scores out of reviews: the policy that is tried, or a control in its place. */
export type Scoring = {
  /** Adds an agent, of an organisation or of none. */
  setPrior: (agent: string, prior: number, organisation?: string | null) => void;
  /** Whether organisations need vouchers before their praise counts in full. */
  hasStanding?: boolean;
  /** An organisation takes over an agent of nobody. */
  adopt?: (agent: string, organisation: string) => void;
  isEstablished?: (organisation: string) => boolean;
  record: (agent: string, review: Review) => void;
  /** 0–100, as published. */
  score: (agent: string) => number;
  /** The roots to freeze into a review that this agent makes. */
  rootsOf: (agent: string, orgDomain: string | null) => Record<string, number>;
};

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
