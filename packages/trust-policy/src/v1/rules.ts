import type { PolicyConstants, TrustPolicy } from '../policy/trust-policy.ts';
import { DAY_MS } from './constants.ts';

/** A policy's constants and what follows from them alone, computed once: they are read several times for every review. */
export type Rules = PolicyConstants & {
  readonly policyName: string;
  readonly halfLifeMs: number;
  readonly recentAgeMsMax: number;
  /**
   * A recent review's weight is at least this power of two times its unit and its damping: the unit is twice its base weight
   * at most, and a recent review has lost no more than it can within `recentAgeDaysMax`.
   */
  readonly recentUnitExponent: number;
  /** Weights above this are far enough from `weightMin` that the quick expression for them decides. */
  readonly nearMinimum: number;
  /** The most roots that the cap can cut at once: of so many together the share stays below all weight. */
  readonly cutRootsMax: number;
  /** `1 − share·m`: what is left of all weight beside m cut roots. */
  readonly leftBesideOne: number;
  readonly leftBesideTwo: number;
  readonly leftBesideThree: number;
  /** `τ/(K+R)` with four roots cut. */
  readonly capBesideFour: number;
};

/** The rules of a policy; the same object for the same policy. A policy is not to be changed once scores were computed by it. */
export function rulesOf(policy: TrustPolicy): Rules {
  // Scores come in long runs under one policy, so the last one is kept outside the map.
  if (policy === lastPolicy && lastRules !== undefined) return lastRules;
  const known = rulesByPolicy.get(policy);
  const rules = known ?? compile(policy);
  if (known === undefined) rulesByPolicy.set(policy, rules);
  lastPolicy = policy;
  lastRules = rules;
  return rules;
}

const rulesByPolicy = new WeakMap<TrustPolicy, Rules>();
let lastPolicy: TrustPolicy | undefined;
let lastRules: Rules | undefined;

const compile = ({ name, constants }: TrustPolicy): Rules => {
  const { rootShareMax, halfLifeDays, recentAgeDaysMax, weightMin } = constants;
  return {
    strength: constants.strength,
    rootShareMax,
    failureFactor: constants.failureFactor,
    badBelow: constants.badBelow,
    badWeight: constants.badWeight,
    weightMin,
    halfLifeDays,
    recentAgeDaysMax,
    recentPerRootMax: constants.recentPerRootMax,
    fastFallPoints: constants.fastFallPoints,
    policyName: name,
    halfLifeMs: halfLifeDays * DAY_MS,
    recentAgeMsMax: recentAgeDaysMax * DAY_MS,
    recentUnitExponent: -1 - Math.ceil(recentAgeDaysMax / halfLifeDays),
    nearMinimum: weightMin * 1.001,
    cutRootsMax: Math.ceil(1 / rootShareMax - ROUNDING) - 1,
    leftBesideOne: 1 - rootShareMax,
    leftBesideTwo: 1 - 2 * rootShareMax,
    leftBesideThree: 1 - 3 * rootShareMax,
    capBesideFour: withoutNoise(rootShareMax / (1 - 4 * rootShareMax)),
  };
};

/** Shares such as 0.2 are no doubles: what they come to within rounding of a whole number is that number. */
const withoutNoise = (value: number): number =>
  Math.abs(value - Math.round(value)) < ROUNDING ? Math.round(value) : value;

const ROUNDING = 1e-12;
