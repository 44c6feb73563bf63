/** `npm run whatif`: replays the log in memory under another trust policy and prints whose score would change, and why. Writes nothing. */
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { openCheckedEventLog } from '@agent-trust/event-log';
import { BadPolicyError } from '@agent-trust/trust-policy';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import { findPolicy } from '../common/find-policy.ts';
import { findTarget } from '../common/find-target.ts';
import { progressLines } from '../common/report.ts';
import { comparePolicies } from './compare-policies.ts';
import { policyChanges } from './policy-changes.ts';
import { reportJson, whatIfLines } from './report.ts';
import { singleEffects } from './single-effects.ts';

/** Most agents that are explained: their scores are computed once more for each changed constant. */
const topMax = 1_000;
const topDefault = 20;

const findLog = async (): Promise<{ eventLogUrl: string; release: () => Promise<void> }> => {
  const { EVENT_LOG_URL: eventLogUrl } = process.env;
  if (eventLogUrl) return { eventLogUrl, release: () => Promise.resolve() };
  return findTarget(process.env, complain);
};

await runCommand({
  usage: `Usage: npm run whatif -- --policy <file or name> [--top <number>] [--json]

Replays the log, in memory, under another trust policy and prints whose score would change, across which threshold, and why.
Nothing that is live is changed. Reads EVENT_LOG_URL, else the log of the development stack on DATA_DIR.
  --policy <file or name>   a policy in a JSON file, or the name of one that comes with the registry or was in force once
  --top <number>            agents to show, those that cross a threshold first; 0 to ${topMax}, default ${topDefault}
  --json                    one JSON document on standard output, for programs

Exit codes: 0 answered; 1 failed; 2 wrong arguments or a policy that cannot be used; 130 stopped.`,
  options: { policy: { type: 'string' }, top: { type: 'string' }, json: { type: 'boolean' } },
  stopped: 'Stopped. Nothing was changed.',
  exitCodeOf: (error) => (error instanceof BadPolicyError ? 2 : 1),
  run: async ({ policy, top = String(topDefault), json = false }, signal) => {
    if (policy === undefined) throw new ArgumentsError('--policy is missing');
    if (!/^\d{1,4}$/.test(top) || Number(top) > topMax) {
      throw new ArgumentsError(`--top must be a whole number from 0 to ${topMax}`);
    }
    await using resources = new AsyncDisposableStack();
    const { eventLogUrl } = resources.adopt(await findLog(), (it) => it.release());
    const log = resources.adopt(await openCheckedEventLog(eventLogUrl, { applicationName: 'whatif' }), (it) =>
      it.close(),
    );
    const activated = await readActivatedPolicies(log);
    const [from] = activated.slice(-1);
    if (from === undefined) throw new Error('there is always a trust policy');
    const to = await findPolicy(policy, activated, process.env['INIT_CWD'] ?? process.cwd());
    const changes = policyChanges(from, to);
    // On standard error, so that the answer can be piped.
    const progress = resources.adopt(progressLines(process.stderr, 'Replaying'), (it) => it.end());
    const options = { onProgress: progress.show, signal };
    const comparison = await comparePolicies(log, { from, to }, Number(top), options);
    const { explained: moves } = comparison;
    const effects = await singleEffects(log, { ...comparison, moves }, changes, options);
    progress.end();
    const report = { from, to, changes, comparison, effects };
    if (json) say(JSON.stringify(reportJson(report), null, 2));
    else for (const line of whatIfLines(report)) say(line);
    return 0;
  },
});
