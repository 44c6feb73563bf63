import type { Review } from '@agent-trust/trust-policy';

/** A way to make scores out of reviews: the policy that is tried, or a control in its place. */
export type Scoring = {
  setPrior: (agent: string, prior: number) => void;
  record: (agent: string, review: Review) => void;
  /** 0–100, as published. */
  score: (agent: string) => number;
  /** The roots to freeze into a review that this agent makes. */
  rootsOf: (agent: string, orgDomain: string | null) => Record<string, number>;
};
