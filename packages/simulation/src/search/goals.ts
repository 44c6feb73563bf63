import { fraudGoals } from './fraud.ts';
import type { Goal } from './goal.ts';
import type { Budget } from './purse.ts';
import { slanderGoals } from './slander.ts';

/** What the attacker may want. */
export const goals: readonly Goal[] = [...fraudGoals, ...slanderGoals];

/** What it may have, each more than the one before: nobody's agents alone, one key, few, as many as establish each other, and more. */
export const budgets: readonly Budget[] = [
  { organisations: 0, agents: 40, exchanges: 400 },
  { organisations: 1, agents: 40, exchanges: 400 },
  { organisations: 3, agents: 60, exchanges: 400 },
  { organisations: 5, agents: 80, exchanges: 400 },
  { organisations: 6, agents: 80, exchanges: 400 },
  { organisations: 8, agents: 100, exchanges: 400 },
];
