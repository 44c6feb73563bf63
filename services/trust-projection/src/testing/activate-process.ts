/**
 * A process for tests to kill: `node activate-process.ts <url> <policy as JSON> <before | after>` switches the trust policy, prints a line right
 * before or right after the append, and stops there.
 */
import { openEventLog } from '@agent-trust/event-log';
import { parsePolicy } from '@agent-trust/trust-policy';
import { activatePolicy } from '../tools/policy-activate/activate-policy.ts';
import { appendActivation } from './append-activation.ts';

const [, , url = '', policyText = '', point] = process.argv;
const log = await openEventLog(url);
const policy = parsePolicy(JSON.parse(policyText));

const reported = async (): Promise<never> => {
  process.stdout.write(`${point} the append\n`);
  // The open connections keep the process alive.
  return new Promise<never>(() => undefined);
};

await activatePolicy({
  connection: { connectionString: url },
  log,
  policy,
  append: async (activationsBefore) => {
    if (point === 'before') return reported();
    await appendActivation(log, policy, activationsBefore);
    return reported();
  },
});
