/** The numbers of the formula. Weights are in reviews of full weight, values in 0–1, points in 0–100. */
export type PolicyConstants = {
  /** `K`: weight of the prior. */
  readonly strength: number;
  /** Largest share of all weight, the prior included, that one root domain may hold; 1 switches the cap off. */
  readonly rootShareMax: number;
  /** Value of an exchange that failed, as a fraction of what the same rating is worth after a success. */
  readonly failureFactor: number;
  /** A review whose value is below this is a bad one ... */
  readonly badBelow: number;
  /** ... and its weight is multiplied by this. */
  readonly badWeight: number;
  /** What lies below this weight counts as nothing: it bounds the reviews of one reviewer that can count (21 in v1). */
  readonly weightMin: number;
  /** A review weighs half as much when it is this much older than the agent's newest. */
  readonly halfLifeDays: number;
  /** Fast fall: how old a review may be beside the newest one ... */
  readonly recentAgeDaysMax: number;
  /** ... and how many of one root are looked at. */
  readonly recentPerRootMax: number;
  /** Fast fall: the recent evidence must lie more than this many points below all evidence. */
  readonly fastFallPoints: number;
};

/** What agents start from, 0–100, where a policy does not leave that to their registration. */
export type PolicyPriors = { readonly verified: number; readonly unverified: number };

/**
 * A trust policy is data: which formula, with which constants. Its name goes with every score computed by it, so a released
 * policy never changes; other constants are a policy with another name.
 */
export type TrustPolicy = {
  readonly name: string;
  /** Which code computes; the names of formulas and of policies have nothing to do with each other. */
  readonly formula: 'v1';
  readonly constants: PolicyConstants;
  /** Null: each agent's prior is the one that its registration recorded. */
  readonly priors: PolicyPriors | null;
};

/** The policy of the registry's beginning, whose text is docs/trust-policy.md. */
export const policyV1: TrustPolicy = Object.freeze({
  name: 'v1',
  formula: 'v1',
  constants: Object.freeze({
    strength: 5,
    rootShareMax: 0.2,
    failureFactor: 0.3,
    badBelow: 0.5,
    badWeight: 1.5,
    weightMin: 1e-6,
    halfLifeDays: 90,
    recentAgeDaysMax: 90,
    recentPerRootMax: 3,
    fastFallPoints: 10,
  }),
  priors: null,
});

/** The policies that come with the registry, by name. */
export const builtInPolicies: ReadonlyMap<string, TrustPolicy> = new Map([[policyV1.name, policyV1]]);

/** The prior of an agent under a policy, from what its registration recorded. */
export function priorOf(policy: TrustPolicy, agent: { verified: boolean; trustPrior: number }): number {
  if (policy.priors === null) return agent.trustPrior;
  return agent.verified ? policy.priors.verified : policy.priors.unverified;
}
