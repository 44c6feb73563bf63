import { ArgumentsError } from '@agent-trust/command-line';
import type { Budget } from '../search/purse.ts';

const seedLargest = 2 ** 32 - 1;
/** Most seeds of one run: each takes about a second. */
const seedsMax = 1000;

/**
 * `7` or `1-20`.
 *
 * @throws ArgumentsError
 */
export function readSeeds(text: string): number[] {
  const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count >= 1 && count <= seedsMax && Number(last) <= seedLargest)) {
    throw new ArgumentsError(
      `--seed must be a whole number from 0 to ${seedLargest}, or a range of at most ${seedsMax}, such as 1-20`,
    );
  }
  return Array.from({ length: count }, (_, index) => Number(first) + index);
}

/** Most strategies of one search: each takes some milliseconds, and is tried in two markets. */
export const triesMax = 100_000;
/** Largest budget; the time of a search grows with it. */
export const budgetMax: Budget = { organisations: 50, agents: 1000, exchanges: 10_000 };

/** @throws ArgumentsError */
export function readTries(text: string): number {
  const tries = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (tries >= 1 && tries <= triesMax) return tries;
  throw new ArgumentsError(`--tries must be a whole number from 1 to ${triesMax}, not ${JSON.stringify(text)}`);
}

/**
 * `3,50,400`: organisations, agents and exchanges.
 *
 * @throws ArgumentsError
 */
export function readBudget(text: string): Budget {
  const [, ...numbers] = /^(\d{1,5}),(\d{1,5}),(\d{1,5})$/.exec(text) ?? [];
  const [organisations = Infinity, agents = Infinity, exchanges = Infinity] = numbers.map(Number);
  const isAllowed =
    organisations <= budgetMax.organisations && agents <= budgetMax.agents && exchanges <= budgetMax.exchanges;
  if (isAllowed) return { organisations, agents, exchanges };
  throw new ArgumentsError(
    `--budget must be three whole numbers up to ${Object.values(budgetMax).join(',')}, such as 3,50,400, not ${JSON.stringify(text)}`,
  );
}

/**
 * Those of a name, or all if none is given.
 *
 * @param what of what it is the name, for the refusal
 * @throws ArgumentsError
 */
export function chosenByName<Named extends { name: string }>(
  what: string,
  all: readonly Named[],
  name: string | undefined,
): readonly Named[] {
  if (name === undefined) return all;
  const chosen = all.filter((each) => each.name === name);
  if (chosen.length > 0) return chosen;
  throw new ArgumentsError(`there is no ${what} ${JSON.stringify(name)}; there are ${namesOf(all)}`);
}

export function namesOf(all: readonly { name: string }[]): string {
  return all.map(({ name }) => name).join(', ');
}
