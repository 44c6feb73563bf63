/** `npm run sim:search`: an attacker with a budget searches for its best strategy, against trust policy v1 and against v2. */
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { compareAll, type Comparison, comparisonJson, comparisonLines } from '../search/compare.ts';
import { budgets, goals } from '../search/goals.ts';
import { chosenByName, namesOf, readBudget, readSeeds, readTries, triesMax } from './read-arguments.ts';

const triesDefault = 400;
const usage = `Usage: npm run sim:search -- [--goal <name>] [--budget <o,a,e>]... [--tries <number>] [--seed <number>] [--json]

An attacker searches for the strategy that gains most, by random tries and by climbing from the best of them, against trust policy v1 and
against v2, and what it found is tried in markets that it has not seen. The same seed finds the same. docs/simulation.md explains the columns.
  --goal <name>      one of ${namesOf(goals)}; default all
  --budget <o,a,e>   organisations, agents and exchanges, such as 3,50,400; may be given several times; default ${budgets.length} of them
  --tries <number>   random strategies and steps of climbs of each search, beside those of the gate table, at most ${triesMax}; default ${triesDefault}
  --seed <number>    default 1
  --json             one JSON document on standard output, for programs

Exit codes: 0 all is searched; 2 wrong arguments.`;

await runCommand({
  usage,
  options: {
    goal: { type: 'string' },
    budget: { type: 'string', multiple: true },
    tries: { type: 'string', default: String(triesDefault) },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
  run: (given) => {
    const searched = chosenByName('goal', goals, given.goal);
    const [seed = 1, ...furtherSeeds] = readSeeds(given.seed);
    if (furtherSeeds.length > 0) throw new ArgumentsError('--seed must be one number');
    const options = { seed, tries: readTries(given.tries) };
    const chosenBudgets = given.budget?.map(readBudget) ?? budgets;
    const byGoal = searched.map((goal) => {
      const comparisons: Comparison[] = [];
      for (const comparison of compareAll(goal, chosenBudgets, options)) {
        if (process.stderr.isTTY) complain(`${goal.name}, ${Object.values(comparison.budget).join(',')} done`);
        comparisons.push(comparison);
      }
      return comparisons;
    });
    if (given.json) say(JSON.stringify(comparisonJson(byGoal.flat(), options), null, 2));
    else for (const comparisons of byGoal) say([...comparisonLines(comparisons), ''].join('\n'));
    return 0;
  },
});
