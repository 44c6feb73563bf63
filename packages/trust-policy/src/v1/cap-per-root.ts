import type { Rules } from './rules.ts';

/**
 * `τ` of the policy: the weight above which a root is cut, so that no root has more than its share s (v1: 20 percent) of all weight, including the
 * prior. It solves `τ = s·(K + Σ min(W_d, τ))`.
 *
 * With the m heaviest roots cut and R the weight of the others, `τ = s(K+R)/(1−sm)`; m is the least number for which the next root is not above τ. It
 * is at most the greatest m with sm < 1 (v1: 4): there `τ ≥ K + R`, which no part of R exceeds. So `1−sm` is never 0. One pass finds the four heaviest
 * roots; shares below 20 percent can cut more, and sort.
 */
export function capThreshold(weights: ArrayLike<number>, rules: Rules): number {
  if (rules.cutRootsMax > 4) return capOfMany(weights, rules);
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  // Separate, so that no large weight has to be subtracted from a sum.
  let others = 0;
  for (let index = 0; index < weights.length; index += 1) {
    const weight = weights[index] ?? 0;
    if (weight <= fourth) others += weight;
    else {
      others += fourth;
      if (weight <= third) fourth = weight;
      else {
        fourth = third;
        if (weight <= second) third = weight;
        else {
          third = second;
          if (weight <= first) second = weight;
          else {
            second = first;
            first = weight;
          }
        }
      }
    }
  }
  const { rootShareMax: share } = rules;
  const free = rules.strength + others;
  const withNone = share * (free + fourth + third + second + first);
  if (first <= withNone || rules.cutRootsMax === 0) return withNone;
  const withOne = (share * (free + fourth + third + second)) / rules.leftBesideOne;
  if (second <= withOne || rules.cutRootsMax === 1) return withOne;
  const withTwo = (share * (free + fourth + third)) / rules.leftBesideTwo;
  if (third <= withTwo || rules.cutRootsMax === 2) return withTwo;
  const withThree = (share * (free + fourth)) / rules.leftBesideThree;
  if (fourth <= withThree || rules.cutRootsMax === 3) return withThree;
  return rules.capBesideFour * free;
}

const capOfMany = (weights: ArrayLike<number>, { strength, rootShareMax: share, cutRootsMax }: Rules): number => {
  const sorted = Float64Array.from(weights).sort();
  // The weight of all roots up to each place, summed from the lightest.
  const upTo = new Float64Array(sorted.length + 1);
  sorted.forEach((weight, place) => (upTo[place + 1] = (upTo[place] ?? 0) + weight));
  for (let cut = 0; ; cut += 1) {
    const left = Math.max(0, sorted.length - cut);
    const cap = (share * (strength + (upTo[left] ?? 0))) / (1 - share * cut);
    if (left === 0 || cut === cutRootsMax || (sorted[left - 1] ?? 0) <= cap) return cap;
  }
};
