import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { EventLog } from '@agent-trust/event-log';
import type { Logger } from '@agent-trust/service-kit';
import { jobProcess } from '../jobs/job-process.ts';
import { choosePolicy } from './choose-policy.ts';
import { labMethods, type StartLabJob } from './lab-methods.ts';
import { type LabJob, openLabStore } from './lab-store.ts';

const command = fileURLToPath(new URL('../tools/policy-lab/main.ts', import.meta.url));

export type PolicyLab = { methods: ReturnType<typeof labMethods>; stop: () => Promise<void> };

/** Runs trials and simulations of trust policies that operators ask for, each as a process of its own. */
export async function startPolicyLab(parts: {
  databaseUrl: string;
  eventLogUrl: string;
  log: Pick<EventLog, 'readStream'>;
  instanceId: string;
  logger: Logger;
}): Promise<PolicyLab> {
  const { databaseUrl, eventLogUrl, log, instanceId, logger } = parts;
  const store = await openLabStore(databaseUrl, (err) => logger.warn({ err }, 'connection to the policy lab lost'));
  const processes = { trial: jobProcess(command), simulation: jobProcess(command) };

  /** What is under way beside this instance: its ends are recorded before the store is closed. */
  const runs = new Set<Promise<void>>();
  const run = async ({ jobId, kind }: LabJob): Promise<void> => {
    const variables = { DATABASE_URL: databaseUrl, EVENT_LOG_URL: eventLogUrl };
    const { isKilled, description, said } = await processes[kind].run(['--kind', kind, '--job', jobId], variables);
    logger.info({ job_id: jobId }, `${kind} of a trust policy: ${description}`);
    // It has said by itself how it ended, unless it failed before it could.
    await store.ended(jobId, isKilled ? 'interrupted' : 'failed', { error: said === '' ? description : said });
  };

  const start: StartLabJob = async (kind, { policy: choice, actor, seeds }) => {
    const { policy } = await choosePolicy(log, choice);
    const request = seeds === undefined ? { policy } : { policy, seeds };
    const begun = await store.begin({ jobId: randomUUID(), kind, request, requestedBy: actor, instanceId });
    const running = run(begun)
      .catch((err: unknown) => {
        logger.error({ err, job_id: begun.jobId }, `the end of a ${kind} could not be recorded`);
      })
      .finally(() => runs.delete(running));
    runs.add(running);
    return begun;
  };

  return {
    methods: labMethods({ store, log, start }),
    stop: async () => {
      await Promise.all([processes.trial.stop(), processes.simulation.stop()]);
      await Promise.all(runs);
      await store.close();
    },
  };
}
