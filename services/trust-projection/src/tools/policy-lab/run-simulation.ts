import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PolicyJobProgress, SimulatedCourse } from '@agent-trust/contracts';
import { allAttacks, type AttackResult, attackSteps, shownSteps } from '@agent-trust/simulation';
import type { WorkHooks } from '../../jobs/reported-work.ts';
import type { LabJob, LabStore } from '../../policy-lab/lab-store.ts';
import { attackFigures } from '../sim/report.ts';

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
  const total = allAttacks.length * seeds.length;
  let done = 0;
  let progress: PolicyJobProgress = { step: allAttacks[0]?.name ?? '', done, total, fraction: 0 };
  for (const [ordinal, attack] of allAttacks.entries()) {
    const steps = attackSteps(attack, policy, seeds);
    for (;;) {
      progress = { step: attack.name, done, total, fraction: done / total };
      onProgress(progress);
      // The timer of the reports gets its turn.
      await nextTurn();
      signal.throwIfAborted();
      const { done: isDone, value } = steps.next();
      if (isDone === true) {
        const item = { ordinal, name: attack.name, shown: attackFigures(value), detail: courseOf(value) };
        await store.keep(jobId, [item]);
        break;
      }
      done += 1;
    }
  }
  return { progress: { ...progress, done, fraction: 1 } };
}

const courseOf = ({ attack, seeds, marks, tracks }: AttackResult): SimulatedCourse => {
  const course = (of: AttackResult['tracks']['policy'], by: 'policy' | 'control'): SimulatedCourse['tracks'] =>
    of.map(({ label, scores }) => {
      const steps = shownSteps(scores);
      return { label, by, steps, scores: steps.map((step) => scores[step] ?? null) };
    });
  return {
    attack: attack.name,
    title: attack.title,
    steps: attack.steps,
    seed: seeds[0] ?? 0,
    marks,
    tracks: [...course(tracks.policy, 'policy'), ...course(tracks.control ?? [], 'control')],
  };
};
