import type { SeededRandom } from '../random/seeded-random.ts';

/** The whole numbers that a parameter may have. */
export type Range = { least: number; most: number };
/** A value for each parameter of a goal. */
export type Strategy<Name extends string = string> = Readonly<Record<Name, number>>;
/** The parameters of a goal; what they mean is written where they are declared. */
export type Ranges<Name extends string = string> = Readonly<Record<Name, Range>>;

/** Part of the draws that leave a parameter at its least value, which mostly means: not at all. */
const leastShare = 0.3;
/** Parameters that one step of a climb changes at most. */
const changedMax = 3;

/** Any strategy. Small values are as likely as large ones: those from 4 to 8 together as those from 8 to 16. */
export function randomStrategy(ranges: Ranges, random: SeededRandom): Strategy {
  return mapped(ranges, (range) => drawn(range, random));
}

/** A strategy that differs in one to three parameters at most. */
export function neighbour(strategy: Strategy, ranges: Ranges, random: SeededRandom): Strategy {
  const chosen = new Set(random.shuffled(Object.keys(ranges)).slice(0, 1 + random.below(changedMax)));
  return mapped(ranges, (range, name) => {
    const value = strategy[name] ?? range.least;
    return chosen.has(name) ? within(moved(value, range, random), range) : value;
  });
}

/** A strategy with each value in its range, and the least one where it has none. */
export function fitted<Name extends string>(strategy: Strategy, ranges: Ranges<Name>): Strategy<Name> {
  return mapped(ranges, (range, name) => within(strategy[name] ?? range.least, range));
}

const mapped = <Name extends string>(
  ranges: Ranges<Name>,
  valueOf: (range: Range, name: Name) => number,
): Strategy<Name> => {
  const entries = Object.entries<Range>(ranges) as [Name, Range][];
  return Object.fromEntries(entries.map(([name, range]) => [name, valueOf(range, name)])) as Record<Name, number>;
};

const within = (value: number, { least, most }: Range): number => Math.min(most, Math.max(least, value));

const drawn = (range: Range, random: SeededRandom): number => {
  const { least, most } = range;
  if (random.next() < leastShare) return least;
  return within(least + Math.floor((most - least + 2) ** random.next()) - 1, range);
};

const moved = (value: number, range: Range, random: SeededRandom): number => {
  switch (random.below(5)) {
    case 0:
      return value + 1;
    case 1:
      return value - 1;
    case 2:
      return 2 * value;
    case 3:
      return Math.floor(value / 2);
    default:
      return drawn(range, random);
  }
};
