import { isEstablished, type Mark } from './mark.ts';
import type { RootSumsV2 } from './view.ts';

/** The shares of all weight, the prior included, that roots may have at most: `c_d`. */
export type Caps = {
  marks: readonly Mark[];
  /** A root with a higher mean (0–1) praises: it has the lower cap if it is not established. Below 0 all do. */
  praiseFrom: number;
  /** Above 0 and at most 1. */
  shareMax: number;
  newShareMax: number;
};

/** `c_d` of one root, from `W_d·x̄_d`, `W_d` and its mark. */
export function capOf(value: number, weight: number, mark: Mark, { praiseFrom, shareMax, newShareMax }: Caps): number {
  return value > praiseFrom * weight && !isEstablished(mark) ? newShareMax : shareMax;
}

/** What counts of all roots. */
export type Filled = {
  /** `Z`. */
  total: number;
  /** `Σ W'_d`. */
  weight: number;
  /** `Σ W'_d·x̄_d`. */
  value: number;
  /** How many roots have a weight. */
  roots: number;
};

/**
 * `Z` of the policy: the one solution of `Z = K + Σ min(W_d, c_d·Z)`, the weight of all that counts after the caps.
 *
 * Newton's method from above: with the roots that are cut at the present `Z`, whose shares sum to `c`, and `R` the weight of the others, the next is
 * `(K+R)/(1−c)`. The right side is concave in `Z`, so each is a smaller upper bound that cuts at least the same roots; when no further one is cut, it is
 * the solution. Shares of cut roots sum to less than 1, so there are few passes (at most 12 with 9 percent): each but the last cuts more roots than the
 * one before it. No weight is subtracted from a sum.
 */
export function fill(strength: number, { weights, values }: RootSumsV2, caps: Caps): Filled {
  const { marks } = caps;
  let total = strength;
  for (let place = 0; place < weights.length; place += 1) total += weights[place] ?? 0;
  let cutBefore = 0;
  for (;;) {
    let cut = 0;
    let free = 0;
    let shares = 0;
    let cutValue = 0;
    let freeWeight = 0;
    let freeValue = 0;
    for (let place = 0; place < weights.length; place += 1) {
      const weight = weights[place] ?? 0;
      if (weight <= 0) continue;
      const value = values[place] ?? 0;
      const cap = capOf(value, weight, marks[place] ?? 0, caps);
      if (weight > cap * total) {
        cut += 1;
        shares += cap;
        cutValue += cap * (value / weight);
      } else {
        free += 1;
        freeWeight += weight;
        freeValue += value;
      }
    }
    // Fewer only by rounding: a root whose weight is its cap to the last digit, on either side of which the sum is the same.
    if (cut <= cutBefore) {
      const [weight, value] = [freeWeight + shares * total, freeValue + cutValue * total];
      return { total, weight, value, roots: cut + free };
    }
    cutBefore = cut;
    total = (strength + freeWeight) / (1 - shares);
  }
}
