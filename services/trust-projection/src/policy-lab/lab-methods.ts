import {
  type Actor,
  DomainError,
  type PolicyChoice,
  type PolicyJob,
  type PolicySimulation,
  type PolicyTrial,
  type PolicyTrialAgent,
  type PolicyTrialDetail,
  type PolicyTrialResult,
  type SimulatedAttack,
  type SimulatedCourse,
  type SimulationSeeds,
} from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { rowCountOf } from '../tools/policy-lab/simulated-rows.ts';
import { knownPolicies } from './choose-policy.ts';
import { jobNotFound, type LabJob, type LabKind, type LabStore } from './lab-store.ts';

/** Starts a job of a kind for an operator. */
export type StartLabJob = (
  kind: LabKind,
  request: { policy: PolicyChoice; actor: Actor; seeds?: SimulationSeeds },
) => Promise<LabJob>;

type Requested = { policy: PolicyChoice; actor: Actor };

/** What the gateway asks about policies, trials and simulations. */
export function labMethods(parts: { store: LabStore; log: Pick<EventLog, 'readStream'>; start: StartLabJob }) {
  const { store, log, start } = parts;

  /** A trial that has agents to show. @throws DomainError policy_job_not_found, policy_job_not_done */
  const doneTrial = async (trialId: string): Promise<PolicyTrialResult> => {
    const job = await store.find('trial', trialId);
    if (job === null) throw jobNotFound('trial', trialId);
    if (job.state !== 'done') throw new DomainError('policy_job_not_done', `trial ${trialId} is ${job.state}`);
    return job.result as PolicyTrialResult;
  };

  const simulationOf = async (job: LabJob): Promise<PolicySimulation> => {
    const attacks = await store.items(job.jobId, { limit: attacksOf(job), offset: 0 });
    return shownSimulation(job, (attacks as SimulatedAttack[]).map(withControls));
  };

  return {
    listPolicies: async () => ({ policies: await knownPolicies(log) }),

    startPolicyTrial: async (request: Requested) => ({ trial: shownTrial(await start('trial', request)) }),
    listPolicyTrials: async ({ trialId }: { trialId: string | null }) => {
      const jobs = trialId === null ? await store.list('trial') : [await store.asked('trial', trialId)];
      return { trials: jobs.flatMap((job) => (job === null ? [] : [shownTrial(job)])) };
    },
    cancelPolicyTrial: async ({ trialId }: { trialId: string }) => ({
      trial: shownTrial(await store.cancel('trial', trialId)),
    }),
    listPolicyTrialAgents: async ({ trialId, limit, offset }: { trialId: string; limit: number; offset: number }) => {
      const { agentsKept } = await doneTrial(trialId);
      const agents = (await store.items(trialId, { limit, offset })) as PolicyTrialAgent[];
      return { agents, total: agentsKept };
    },
    findPolicyTrialAgent: async ({ trialId, agentId }: { trialId: string; agentId: string }) => {
      await doneTrial(trialId);
      const item = await store.item(trialId, agentId);
      return {
        agent: item === null ? null : ({ ...(item.shown as object), ...(item.detail as object) } as PolicyTrialDetail),
      };
    },

    startPolicySimulation: async (request: Requested & { seeds: SimulationSeeds }) => ({
      simulation: shownSimulation(await start('simulation', request), []),
    }),
    listPolicySimulations: async ({ simulationId }: { simulationId: string | null }) => {
      const jobs =
        simulationId === null ? await store.list('simulation') : [await store.asked('simulation', simulationId)];
      return {
        simulations: await Promise.all(jobs.flatMap((job) => (job === null ? [] : [simulationOf(job)]))),
      };
    },
    cancelPolicySimulation: async ({ simulationId }: { simulationId: string }) => ({
      simulation: await simulationOf(await store.cancel('simulation', simulationId)),
    }),
    findSimulatedCourse: async ({ simulationId, attack }: { simulationId: string; attack: string }) => {
      const job = await store.asked('simulation', simulationId);
      if (job === null) throw jobNotFound('simulation', simulationId);
      return { course: ((await store.item(simulationId, attack))?.detail ?? null) as SimulatedCourse | null };
    },
  };
}

const shownJob = (job: LabJob): PolicyJob => ({
  state: job.state,
  policy: job.request.policy.name,
  requestedBy: job.requestedBy,
  instanceId: job.instanceId,
  requestedAt: job.requestedAt.toISOString(),
  startedAt: job.startedAt?.toISOString() ?? null,
  endedAt: job.endedAt?.toISOString() ?? null,
  progress: job.progress,
  error: job.error,
});

const shownTrial = (job: LabJob): PolicyTrial => ({
  ...shownJob(job),
  trialId: job.jobId,
  result: job.result as PolicyTrialResult | null,
});

/** An attack that an earlier version has stored names no controls. */
const withControls = (attack: SimulatedAttack): SimulatedAttack => ({
  ...attack,
  figures: attack.figures.map((figure) => ({ ...earlierFigure, ...figure })),
});
const earlierFigure = { knownMisses: [], controls: [] };

const attacksOf = ({ request }: LabJob): number => rowCountOf(request.policy.formula);

const shownSimulation = (job: LabJob, attacks: SimulatedAttack[]): PolicySimulation => ({
  ...shownJob(job),
  simulationId: job.jobId,
  seeds: job.request.seeds ?? { first: 1, count: 1 },
  attacksTotal: attacksOf(job),
  proven: job.state === 'done' ? attacks.every(({ proven }) => proven !== false) : null,
  attacks,
});
