import { seededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import { mean } from '../statistics.ts';
import type { Goal } from './goal.ts';
import type { Budget } from './purse.ts';
import { fitted, neighbour, randomStrategy, type Ranges, type Strategy } from './strategy.ts';

/** How an attacker came to a strategy. */
export type Origin = 'gate table' | 'smaller budget' | 'random' | 'climb';

export type Found = {
  strategy: Strategy;
  origin: Origin;
  /** The mean over the markets in which the attacker searched. */
  searched: number;
  /** The mean over markets that it had not seen. */
  gain: number;
  /** What the strategy spends in the first of these, and how many of its exchanges are good services. */
  spent: Budget;
  services: number;
};

export type SearchOptions = {
  seed: number;
  /** Random strategies and steps of climbs together; known ones are tried besides. */
  tries: number;
  /** Further strategies to begin with: the best for smaller budgets. */
  begin?: readonly Strategy[];
};

/** Of all tries, those that are random. */
const randomShare = 0.4;
/** Climbs from the best strategies known so far. Each has as many steps as any other. */
const climbs = 3;
/** Markets in which each strategy is tried, and those in which the best is tried at the end. */
const marketCount = { searched: 2, unseen: 5 };

type Tried = { strategy: Strategy; origin: Origin; gain: number };

/**
 * The best strategy that an attacker with a budget finds: it tries those of the gate table and random ones, and then climbs from the three best, one
 * to three parameters at a time; a step that is as good is taken, too, so that it gets across plateaus. The same seed finds the same.
 */
export function findBest(
  goal: Goal,
  budget: Budget,
  newScoring: () => Scoring,
  { seed, tries, begin = [] }: SearchOptions,
): Found {
  const ranges = goal.rangesOf(budget);
  const random = seededRandom(`${seed}/${goal.name}/${Object.values(budget).join('-')}`);
  const gainIn = (strategy: Strategy, kind: keyof typeof marketCount): number =>
    mean(marketsOf(seed, kind).map((market) => goal.play(newScoring, market(), budget, strategy).gain));
  const tryOut = (strategy: Strategy, origin: Origin): Tried => ({
    strategy,
    origin,
    gain: gainIn(strategy, 'searched'),
  });

  const known = [
    ...Object.values(goal.known).map((strategy) => tryOut(fitted(strategy, ranges), 'gate table')),
    ...begin.map((strategy) => tryOut(fitted(strategy, ranges), 'smaller budget')),
  ];
  const randomTries = Math.max(1, Math.floor(randomShare * tries));
  const drawn = Array.from({ length: randomTries }, () => tryOut(randomStrategy(ranges, random), 'random'));
  const starts = [...known, ...drawn].toSorted((a, b) => b.gain - a.gain).slice(0, climbs);
  const steps = Math.floor((tries - randomTries) / climbs);
  const ends = starts.map((start) => {
    let best = start;
    for (let step = 0; step < steps; step += 1) {
      const next = tryOut(neighbour(best.strategy, ranges, random), 'climb');
      if (next.gain > best.gain) best = next;
      // Equally good: the name of its origin stays, since nothing was won.
      else if (next.gain === best.gain) best = { ...next, origin: best.origin };
    }
    return best;
  });
  const {
    strategy,
    origin,
    gain: searched,
  } = pruned(
    ends.reduce((best, end) => (end.gain > best.gain ? end : best)),
    ranges,
    tryOut,
  );
  const [first] = marketsOf(seed, 'unseen');
  if (first === undefined) throw new RangeError('a search needs a market');
  const { spent, services } = goal.play(newScoring, first(), budget, strategy);
  return { strategy, origin, searched, gain: gainIn(strategy, 'unseen'), spent, services };
}

/** The same without what wins nothing, so that it can be read. */
const pruned = (found: Tried, ranges: Ranges, tryOut: (strategy: Strategy, origin: Origin) => Tried): Tried => {
  let best = found;
  for (const [name, { least }] of Object.entries(ranges)) {
    if (best.strategy[name] === least) continue;
    const without = tryOut({ ...best.strategy, [name]: least }, best.origin);
    if (without.gain >= best.gain) best = without;
  }
  return best;
};

/** What a strategy gains in markets that no search has seen. */
export function gainOf(
  goal: Goal,
  budget: Budget,
  newScoring: () => Scoring,
  seed: number,
  strategy: Strategy,
): number {
  return mean(marketsOf(seed, 'unseen').map((market) => goal.play(newScoring, market(), budget, strategy).gain));
}

const marketsOf = (seed: number, kind: keyof typeof marketCount): (() => ReturnType<typeof seededRandom>)[] =>
  Array.from({ length: marketCount[kind] }, (_, number) => () => seededRandom(`${seed}/${kind} market ${number}`));
