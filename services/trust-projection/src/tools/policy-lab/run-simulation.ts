import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PolicyJobProgress } from '@agent-trust/contracts';
import type { WorkHooks } from '../../jobs/reported-work.ts';
import type { LabJob, LabStore } from '../../policy-lab/lab-store.ts';
import { rowsToSimulate } from './simulated-rows.ts';

/** Runs all attacks against a policy, one after the other, and keeps each as soon as it is done. Stops between two seeds. */
export async function runSimulation({
  store,
  job: { jobId, request },
  onProgress,
  signal,
}: {
  store: LabStore;
  job: LabJob;
} & WorkHooks<PolicyJobProgress>): Promise<{ progress: PolicyJobProgress }> {
  const { policy, seeds: { first, count } = { first: 1, count: 1 } } = request;
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const rows = rowsToSimulate(policy, seeds);
  const total = rows.length * seeds.length;
  let done = 0;
  let progress: PolicyJobProgress = { step: rows[0]?.name ?? '', done, total, fraction: 0 };
  for (const [ordinal, { name, steps: begin }] of rows.entries()) {
    const steps = begin();
    for (;;) {
      progress = { step: name, done, total, fraction: done / total };
      onProgress(progress);
      // The timer of the reports gets its turn.
      await nextTurn();
      signal.throwIfAborted();
      const { done: isDone, value } = steps.next();
      if (isDone === true) {
        await store.keep(jobId, [{ ordinal, name, ...value }]);
        break;
      }
      done += 1;
    }
  }
  return { progress: { ...progress, done, fraction: 1 } };
}
