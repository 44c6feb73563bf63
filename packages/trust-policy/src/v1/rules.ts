import type { PolicyConstants, TrustPolicy } from '../policy/trust-policy.ts';
import { DAY_MS } from './constants.ts';

/** A policy's constants and the values derived from them, which every review needs several times. */
export type Rules = PolicyConstants & {
  readonly policyName: string;
  readonly halfLifeMs: number;
  readonly recentAgeMsMax: number;
  /** A recent review's weight is at least its unit times its damping times this power of two: the unit is at most twice the base weight. */
  readonly recentUnitExponent: number;
  /** For weights above this the quick expression decides. */
  readonly nearMinimum: number;
  /** The greatest number of roots that the cap can cut: their shares together are less than all weight. */
  readonly cutRootsMax: number;
  /** `1 − share·m`: the remaining weight beside m cut roots. */
  readonly leftBesideOne: number;
  readonly leftBesideTwo: number;
  readonly leftBesideThree: number;
  /** `τ/(K+R)` with four roots cut. */
  readonly capBesideFour: number;
};

/** The rules of a policy, computed once: a policy must not change after its first score. */
export function rulesOf(policy: TrustPolicy): Rules {
  const known = rulesByPolicy.get(policy);
  if (known !== undefined) return known;
  const rules = compileRules(policy.name, policy.constants);
  rulesByPolicy.set(policy, rules);
  return rules;
}

const rulesByPolicy = new WeakMap<TrustPolicy, Rules>();

/** The rules of v1 from a policy's constants; formula v2 has them, too. */
export function compileRules(name: string, constants: PolicyConstants): Rules {
  const { rootShareMax, halfLifeDays, recentAgeDaysMax, weightMin } = constants;
  return {
    ...constants,
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
}

/** Shares such as 0.2 are no doubles, so a value that is almost a whole number is that number. */
const withoutNoise = (value: number): number =>
  Math.abs(value - Math.round(value)) < ROUNDING ? Math.round(value) : value;

const ROUNDING = 1e-12;
