/** The numbers of the formula. Weights are in reviews of full weight, values in 0–1, points in 0–100. */
export type PolicyConstants = {
  /** `K`: weight of the prior. */
  readonly strength: number;
  /** Largest share of all weight, including the prior, for one root domain; 1 disables the cap. */
  readonly rootShareMax: number;
  /** Value of a failed exchange, as a fraction of the value of the same rating after a success. */
  readonly failureFactor: number;
  /** A review with a lower value is a bad one ... */
  readonly badBelow: number;
  /** ... and its weight is multiplied by this. */
  readonly badWeight: number;
  /** A smaller weight does not count, which limits the reviews of one reviewer that can count (21 in v1). */
  readonly weightMin: number;
  /** The age, relative to the agent's newest review, at which a review has half of its weight. */
  readonly halfLifeDays: number;
  /** Fast fall: greatest age of a review, relative to the newest one ... */
  readonly recentAgeDaysMax: number;
  /** ... and greatest number of reviews of one root. */
  readonly recentPerRootMax: number;
  /** Fast fall: the recent evidence must be lower than all evidence by more than this. */
  readonly fastFallPoints: number;
};

/** What agents start from, 0–100, if a policy does not leave that to their registration. */
export type PolicyPriors = { readonly verified: number; readonly unverified: number };

/** A formula and its constants. Every score names its policy, so a released policy never changes; other constants need another name. */
export type TrustPolicy = {
  readonly name: string;
  /** The code that computes; independent of the policy's name. */
  readonly formula: 'v1';
  readonly constants: PolicyConstants;
  /** Null: each agent's prior is the one that its registration recorded. */
  readonly priors: PolicyPriors | null;
};

/** The first policy; docs/trust-policy-v1.md describes it. */
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

export function priorOf(policy: TrustPolicy, agent: { verified: boolean; trustPrior: number }): number {
  if (policy.priors === null) return agent.trustPrior;
  return agent.verified ? policy.priors.verified : policy.priors.unverified;
}

/** A policy as data. */
type PolicyDocument = Pick<TrustPolicy, 'name'> & {
  readonly formula: string;
  readonly constants: object;
  readonly priors: object | null;
};

/** A policy as RFC 8785 text: equal policies have equal texts, so a hash of the text names a policy by its content. */
export function canonicalPolicy(policy: PolicyDocument): string {
  return canonical(policy);
}

const canonical = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
};
