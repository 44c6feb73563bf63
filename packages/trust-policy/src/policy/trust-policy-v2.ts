import type { PolicyConstants } from './trust-policy.ts';

/** The numbers of formula v2: those of v1 and these. docs/trust-policy.md says what a change of each does. */
export type PolicyConstantsV2 = PolicyConstants & {
  /** Vouchers that make an organisation an established one, if its standing record is good enough. */
  readonly establishedBy: number;
  /** Largest share of all weight for praise by a root that is not established. */
  readonly newRootShareMax: number;
  /** Lowest standing record of an established organisation. */
  readonly establishedRecordMin: number;
  /** An organisation answers for an agent if it has more than this share in what raised the agent. */
  readonly answerShareMin: number;
  /** What a reviewer without an organisation speaks for: those who have raised it, or one root of all such reviewers. */
  readonly unaffiliated: 'raisers' | 'none';
  /** Records are multiples of this, or 75. */
  readonly recordStep: number;
  /** The voice of this rank, by strength, lifts the prior of an unaffiliated agent ... */
  readonly voices: number;
  /** ... by at most this. */
  readonly priorLiftMax: number;
  /** Fast fall: roots with a bad recent review that it needs. */
  readonly fallRootsMin: number;
  /** Fast fall: about as many reviews are recent. */
  readonly recentMax: number;
  /** Organisations that are established without vouchers. */
  readonly anchors: readonly string[];
};

/** A policy of formula v2. Each agent's prior is the one that its registration recorded, and its organisation's record. */
export type TrustPolicyV2 = {
  readonly name: string;
  readonly formula: 'v2';
  readonly constants: PolicyConstantsV2;
  readonly priors: null;
};

/** The second policy; docs/trust-policy.md describes it. */
export const policyV2: TrustPolicyV2 = Object.freeze({
  name: 'v2',
  formula: 'v2',
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
    establishedBy: 5,
    newRootShareMax: 0.09,
    establishedRecordMin: 70,
    answerShareMin: 0.15,
    unaffiliated: 'raisers',
    recordStep: 5,
    voices: 3,
    priorLiftMax: 30,
    fallRootsMin: 2,
    recentMax: 24,
    anchors: Object.freeze([]),
  } as const),
  priors: null,
});
