import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Actor, PolicyChoice, Replay } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { Logger } from '@agent-trust/service-kit';
import { jobProcess, type JobProcess } from '../jobs/job-process.ts';
import { choosePolicy } from '../policy-lab/choose-policy.ts';
import { ensureActivatable } from '../tools/policy-activate/activate-policy.ts';
import { openReplayStore, type ReplayStore } from './replay-store.ts';
import { activationVariables } from './requested-activation.ts';

const toolOf = (name: string): string => fileURLToPath(new URL(`../tools/${name}/main.ts`, import.meta.url));

export type Replays = {
  methods: ReturnType<typeof replayMethods>;
  running: () => Promise<Replay | null>;
  stop: () => Promise<void>;
};

/** Runs replays and switches of the trust policy that operators ask for, each as a process of its own. */
export async function startReplays(parts: {
  databaseUrl: string;
  eventLogUrl: string;
  natsUrl: string;
  log: Pick<EventLog, 'readStream'>;
  instanceId: string;
  logger: Logger;
}): Promise<Replays> {
  const { databaseUrl, eventLogUrl, natsUrl, log, instanceId, logger } = parts;
  const store = await openReplayStore(databaseUrl, (err) =>
    logger.warn({ err }, 'connection to the record of replays lost'),
  );
  const replaying = jobProcess(toolOf('replay'));
  const activating = jobProcess(toolOf('policy-activate'));

  const run = (begun: Replay, process: JobProcess, args: string[], variables: Record<string, string>): Replay => {
    const { replayId } = begun;
    const stores = { DATABASE_URL: databaseUrl, EVENT_LOG_URL: eventLogUrl, REPLAY_ID: replayId };
    const ended = async (): Promise<void> => {
      const { description, said } = await process.run(args, { ...stores, ...variables });
      logger.info({ replay_id: replayId }, `replay: ${description}`);
      // It has said by itself how it ended, unless it failed before it could.
      await store.ended(replayId, 'failed', { error: said === '' ? description : said });
    };
    ended().catch((err: unknown) => {
      logger.error({ err, replay_id: replayId }, 'the end of a replay could not be recorded');
    });
    return begun;
  };

  const begin = (acceptDifferences: boolean, policy: string | null, requestedBy: Actor): Promise<Replay> =>
    store.begin({ replayId: randomUUID(), acceptDifferences, policy, requestedBy, instanceId });

  return {
    running: () => store.running(),
    methods: replayMethods(store, {
      replay: async (acceptDifferences, actor) => {
        const args = acceptDifferences ? ['--accept-differences'] : [];
        return run(await begin(acceptDifferences, null, actor), replaying, args, {});
      },
      activate: async (choice, actor) => {
        const { policy, activated } = await choosePolicy(log, choice);
        ensureActivatable(activated, policy);
        const begun = await begin(false, policy.name, actor);
        const variables = activationVariables({ replayId: begun.replayId, policy, actor });
        return run(begun, activating, [], { NATS_URL: natsUrl, ...variables });
      },
    }),
    stop: async () => {
      await Promise.all([replaying.stop(), activating.stop()]);
      await store.close();
    },
  };
}

const replayMethods = (
  store: ReplayStore,
  start: {
    replay: (acceptDifferences: boolean, actor: Actor) => Promise<Replay>;
    activate: (policy: PolicyChoice, actor: Actor) => Promise<Replay>;
  },
) => ({
  startReplay: async ({ acceptDifferences, actor }: { acceptDifferences: boolean; actor: Actor }) => ({
    replay: await start.replay(acceptDifferences, actor),
  }),
  startPolicyActivation: async ({ policy, actor }: { policy: PolicyChoice; actor: Actor }) => ({
    replay: await start.activate(policy, actor),
  }),
  listReplays: async ({ replayId }: { replayId: string | null }) => {
    if (replayId === null) return { replays: await store.list() };
    const found = await store.find(replayId);
    return { replays: found === null ? [] : [found] };
  },
  cancelReplay: async ({ replayId }: { replayId: string }) => ({ replay: await store.cancel(replayId) }),
});
