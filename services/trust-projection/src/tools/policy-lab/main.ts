/** The process of one trial or simulation that an instance of the service has begun: see policy-lab/start-policy-lab.ts. */
import { constants, setPriority } from 'node:os';
import { ArgumentsError, runCommand } from '@agent-trust/command-line';
import type { PolicyJobProgress, PolicyJobState } from '@agent-trust/contracts';
import { errorText, reportedWork } from '../../jobs/reported-work.ts';
import { openLabStore } from '../../policy-lab/lab-store.ts';
import { runSimulation } from './run-simulation.ts';
import { runTrial } from './run-trial.ts';

const stateOf: Record<string, PolicyJobState> = { cancelled: 'stopped', stopped: 'stopped', abandoned: 'abandoned' };

await runCommand({
  usage: `Usage: node main.ts --kind <trial or simulation> --job <id>

Not for people: runs what was asked for by POST /ops/policy-trials or /ops/policy-simulations. Uses DATABASE_URL and EVENT_LOG_URL.`,
  options: { kind: { type: 'string' }, job: { type: 'string' } },
  stopped: 'Stopped.',
  run: async ({ kind, job: jobId = '' }, signal) => {
    if (kind !== 'trial' && kind !== 'simulation') throw new ArgumentsError('--kind must be trial or simulation');
    const { DATABASE_URL: databaseUrl = '', EVENT_LOG_URL: eventLogUrl = '' } = process.env;
    // Whoever serves requests on this machine goes first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    await using resources = new AsyncDisposableStack();
    const store = resources.adopt(await openLabStore(databaseUrl), (it) => it.close());
    const job = await store.find(kind, jobId);
    if (job === null) throw new ArgumentsError(`there is no ${kind} ${jobId}`);
    resources.adopt(await store.live(jobId), (it) => it.release());
    const report = (progress: PolicyJobProgress) => store.progressed(jobId, progress);
    const outcome = await reportedWork({ report, signal }, (hooks) =>
      kind === 'trial' ? runTrial({ store, eventLogUrl, job, ...hooks }) : runSimulation({ store, job, ...hooks }),
    );
    if ('result' in outcome) {
      await store.ended(jobId, 'done', outcome.result);
      return 0;
    }
    const { error, stopped } = outcome;
    const state = stopped === null ? 'failed' : (stateOf[stopped] ?? 'stopped');
    await store.ended(jobId, state, stopped === null ? { error: errorText(error) } : {});
    return 1;
  },
});
