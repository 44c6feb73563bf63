import type { SeededRandom } from '../random/seeded-random.ts';
import type { Scoring } from '../scoring/scoring.ts';
import type { Budget } from './purse.ts';
import { fitted, type Ranges, type Strategy } from './strategy.ts';

/** What one run of a strategy gave. */
export type Outcome = {
  /** What the attacker wants to be large. */
  gain: number;
  spent: Budget;
  /** Of the exchanges those that were good services to honest customers. */
  services: number;
};

/** What an attacker wants, and the strategies by which it may try. */
export type Goal = {
  /** What `--goal` takes. */
  name: string;
  title: string;
  /** What its gain counts. */
  gain: string;
  /** Names of the values of a parameter that is a choice. */
  choices: Readonly<Record<string, readonly string[]>>;
  rangesOf: (budget: Budget) => Ranges;
  /** Strategies to begin with, besides random ones. */
  known: Readonly<Record<string, Strategy>>;
  /** Plays a strategy; values beyond their ranges are brought into them. */
  play: (newScoring: () => Scoring, random: SeededRandom, budget: Budget, strategy: Strategy) => Outcome;
};

export function goal<Name extends string>(
  facts: Pick<Goal, 'name' | 'title' | 'gain' | 'choices'>,
  rangesOf: (budget: Budget) => Ranges<Name>,
  known: Readonly<Record<string, Partial<Strategy<Name>>>>,
  play: (newScoring: () => Scoring, random: SeededRandom, budget: Budget, strategy: Strategy<Name>) => Outcome,
): Goal {
  return {
    ...facts,
    rangesOf,
    known: known as Goal['known'],
    play: (newScoring, random, budget, strategy) =>
      play(newScoring, random, budget, fitted(strategy, rangesOf(budget))),
  };
}
