import { ROOT_SHARE_MAX, STRENGTH } from './constants.ts';

/**
 * `τ` of the policy: the weight above which a root is cut, so that after the cut no root holds more than 20 percent of all
 * weight, the prior included. It solves `τ = 0.2·(K + Σ min(W_d, τ))`.
 *
 * With the m heaviest roots cut and R the weight of the others, `τ = 0.2(K+R)/(1−0.2m)`; m is the least number for which
 * the next root is not above τ. The search ends at m = 4 at the latest: there `τ = K + R`, and the fifth root, being part of
 * R, cannot be above that. So any number of equal roots needs no case of its own, and `1−0.2m` is never 0.
 * Cost: one pass; only the four heaviest roots are ever looked at one by one.
 */
export const capThreshold = (weights: ArrayLike<number>): number => {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  // Kept apart from the four, so that no large weight is ever subtracted again from a sum.
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
  const free = STRENGTH + others;
  const withNone = ROOT_SHARE_MAX * (free + fourth + third + second + first);
  if (first <= withNone) return withNone;
  const withOne = (ROOT_SHARE_MAX * (free + fourth + third + second)) / (1 - ROOT_SHARE_MAX);
  if (second <= withOne) return withOne;
  const withTwo = (ROOT_SHARE_MAX * (free + fourth + third)) / (1 - 2 * ROOT_SHARE_MAX);
  if (third <= withTwo) return withTwo;
  const withThree = (ROOT_SHARE_MAX * (free + fourth)) / (1 - 3 * ROOT_SHARE_MAX);
  return fourth <= withThree ? withThree : free;
};
