/** Numbers that look random and are the same for the same seed, on every machine. */
export type SeededRandom = {
  /** At least 0 and below 1. */
  next: () => number;
  /** A whole number from 0 to `count` − 1. */
  below: (count: number) => number;
  /** Normally distributed with mean 0 and standard deviation 1. */
  normal: () => number;
  shuffled: <T>(items: readonly T[]) => T[];
  /** Another generator, so that one part's draws do not move another's. */
  fork: (name: string) => SeededRandom;
};

/**
 * sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, far more than a simulation draws. The seed's text is spread over the
 * state by FNV-1a.
 */
export function seededRandom(seed: number | string): SeededRandom {
  let [a, b, c, counter] = [hash(`${seed}/a`), hash(`${seed}/b`), hash(`${seed}/c`), 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let warmUp = 0; warmUp < 16; warmUp += 1) next();
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    // Box and Muller; 1 − u is never 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffled: (items) => {
      const order = items.slice();
      for (let last = order.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [order[last], order[other]] = [order[other] as (typeof order)[0], order[last] as (typeof order)[0]];
      }
      return order;
    },
    fork: (name) => seededRandom(`${seed}/${name}`),
  };
}

const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
};
