import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Actor, Replay } from '@agent-trust/contracts';
import type { Logger } from '@agent-trust/service-kit';
import { replayLimits } from './limits.ts';
import { openReplayStore, type ReplayStore } from './replay-store.ts';

const command = fileURLToPath(new URL('../tools/replay/main.ts', import.meta.url));

/** Variables that the process of a replay gets: none of the service's secrets but the addresses of its two stores. */
const isPassedOn = (name: string): boolean => /^(?:PATH|HOME|TZ|LANG|TMPDIR|NODE_.*|PG.*|SSL_CERT_.*)$/u.test(name);

export type Replays = {
  methods: ReturnType<typeof replayMethods>;
  running: () => Promise<Replay | null>;
  stop: () => Promise<void>;
};

/** Runs replays that operators ask for, each as a process of its own, so that its memory and its work are not the service's. */
export async function startReplays(parts: {
  databaseUrl: string;
  eventLogUrl: string;
  instanceId: string;
  logger: Logger;
}): Promise<Replays> {
  const { databaseUrl, eventLogUrl, instanceId, logger } = parts;
  const store = await openReplayStore(databaseUrl, (err) =>
    logger.warn({ err }, 'connection to the record of replays lost'),
  );
  let child: ChildProcess | null = null;

  const run = async (replayId: string, acceptDifferences: boolean): Promise<void> => {
    const passedOn = Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassedOn(name)));
    const started = spawn(process.execPath, [command, ...(acceptDifferences ? ['--accept-differences'] : [])], {
      env: { ...passedOn, DATABASE_URL: databaseUrl, EVENT_LOG_URL: eventLogUrl, REPLAY_ID: replayId },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    let said = '';
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-replayLimits.errorCharsMax);
    });
    // After 'error' there may be no 'close'.
    const end = await Promise.race([
      once(started, 'close').then(([code]) => `its process ended with ${String(code)}`),
      once(started, 'error').then(([error]) => `its process could not be started: ${String(error)}`),
    ]);
    child = null;
    logger.info({ replay_id: replayId }, `replay: ${end}`);
    // It has said by itself how it ended, unless it failed before it could.
    await store.ended(replayId, 'failed', { error: said.trim() === '' ? end : said.trim() });
  };

  return {
    running: () => store.running(),
    methods: replayMethods(store, async ({ acceptDifferences, actor }) => {
      const replayId = randomUUID();
      const begun = await store.begin({ replayId, acceptDifferences, requestedBy: actor, instanceId });
      run(replayId, acceptDifferences).catch((err: unknown) => {
        logger.error({ err, replay_id: replayId }, 'the end of a replay could not be recorded');
      });
      return begun;
    }),
    stop: async () => {
      const running = child;
      if (running !== null) {
        running.kill('SIGTERM');
        const ended = new AbortController();
        await Promise.race([
          once(running, 'close'),
          delay(replayLimits.stopMsMax, undefined, { signal: ended.signal }).catch(() => undefined),
        ]);
        ended.abort();
        running.kill('SIGKILL');
      }
      await store.close();
    },
  };
}

const replayMethods = (
  store: ReplayStore,
  start: (request: { acceptDifferences: boolean; actor: Actor }) => Promise<Replay>,
) => ({
  startReplay: async (request: { acceptDifferences: boolean; actor: Actor }) => ({ replay: await start(request) }),
  listReplays: async ({ replayId }: { replayId: string | null }) => {
    if (replayId === null) return { replays: await store.list() };
    const found = await store.find(replayId);
    return { replays: found === null ? [] : [found] };
  },
  cancelReplay: async ({ replayId }: { replayId: string }) => ({ replay: await store.cancel(replayId) }),
});
