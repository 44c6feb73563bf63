import { DomainError } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import {
  type CheckpointWatcher,
  type CommitGate,
  createCheckpointWatcher,
  prepareReadModel,
  type ProjectedEvent,
  type ReadModel,
  type ReplayProgress,
  type RunnerStatus,
  type SwitchGuard,
  startRunner,
  WaitForPositionError,
} from '@agent-trust/projections';
import { secondsSince } from '@agent-trust/metrics';
import type { Logger } from '@agent-trust/service-kit';
import { followerMetrics, type FollowerName } from './follower-metrics.ts';

/** A schema of read models that follows the log. */
export type LogFollower = {
  /** How far the schema has come, whichever instance writes it. */
  watcher: CheckpointWatcher;
  /** Waits for a position, no longer than the caller does. Throws DomainError `read_model_behind`, or `overloaded` when too many wait. */
  reach: (position: string | undefined, call: CallContext, timeoutMs?: number) => Promise<void>;
  status: () => RunnerStatus;
  stop: () => Promise<void>;
};

const progressEveryMs = 1_000;

/** Creates the schema, or replaces an outdated one by a replay, and then follows the log. One instance writes; another takes over when it ends. */
export async function startLogFollower<Event extends ProjectedEvent>(parts: {
  name: FollowerName;
  databaseUrl: string;
  applicationName: string;
  schema: string;
  readModel: ReadModel<Event>;
  log: EventLog;
  logger: Logger;
  reachTimeoutMs: number;
  /** How long events are gathered at the end of the log; ended early when a caller waits for a position. */
  pauseMs?: number;
  /** Told how far a replay of an outdated schema is; `starting` of the service's context. */
  starting?: ((detail: string) => void) | undefined;
  stopping?: AbortSignal | undefined;
  /** Must let each batch pass before it is committed. */
  gate?: CommitGate<Event> | undefined;
  /** See `ReplayOptions`. */
  beforeSwitch?: (() => Promise<SwitchGuard>) | undefined;
}): Promise<LogFollower> {
  const { schema, readModel, log, logger } = parts;
  const connection = { connectionString: parts.databaseUrl, application_name: parts.applicationName };
  const { onProgress, end } = reportProgress(parts);
  try {
    const signal = parts.stopping ?? new AbortController().signal;
    const before = parts.beforeSwitch === undefined ? {} : { beforeSwitch: parts.beforeSwitch };
    await prepareReadModel({ connection, schema, log, readModel, logger, onProgress, signal, ...before });
  } finally {
    end();
  }
  const isWriting = (): boolean => runner.status().state === 'active';
  const measured = followerMetrics(parts.name);
  const watcher = createCheckpointWatcher({ connection, schema, logger, isWriting });
  const runner = startRunner({
    connection,
    schema,
    log,
    readModel,
    logger,
    onCommit: (position) => watcher.committed(position),
    onBatch: measured.batch,
    pauseMs: parts.pauseMs ?? 0,
    gate: parts.gate,
  });
  return {
    watcher,
    reach: async (position, call, timeoutMs = parts.reachTimeoutMs) => {
      if (position === undefined) return;
      const wanted = BigInt(position);
      const current = watcher.current();
      // Spares the timers and the signal in the usual case.
      if (current !== null && current >= wanted) return measured.wait(0);
      runner.hurry();
      const startedAt = performance.now();
      try {
        await reach(watcher, wanted, call, timeoutMs);
        measured.wait(secondsSince(startedAt));
      } catch (error) {
        measured.wait(secondsSince(startedAt), error);
        throw error;
      }
    },
    status: () => runner.status(),
    stop: async () => {
      await runner.stop();
      await watcher.close();
    },
  };
}

/** Logs how far a rebuild is and passes it on, once a second and also while nothing moves: the database bounds its own statements. */
const reportProgress = ({
  schema,
  logger,
  starting = () => undefined,
}: Pick<Parameters<typeof startLogFollower>[0], 'schema' | 'logger' | 'starting'>) => {
  let detail = `waiting for the schema ${schema}`;
  let logged = '';
  const timer = setInterval(() => {
    starting(detail);
    if (detail !== logged) logger.info({ schema }, detail);
    logged = detail;
  }, progressEveryMs);
  return {
    onProgress: ({ events, eventsTotal }: ReplayProgress): void => {
      detail = `building the schema ${schema} anew: ${events} of ${eventsTotal} events`;
    },
    end: () => clearInterval(timer),
  };
};

const reach = async (
  watcher: CheckpointWatcher,
  wanted: bigint,
  call: CallContext,
  timeoutMs: number,
): Promise<void> => {
  try {
    await watcher.waitFor(wanted, { timeoutMs: Math.min(timeoutMs, call.remainingMs()), signal: call.signal });
  } catch (error) {
    if (!(error instanceof WaitForPositionError)) throw error;
    if (error.reason === 'too_many_waiters') {
      throw new DomainError('overloaded', 'Too many queries wait for the read model; try again later.');
    }
    const at = error.current === null ? 'empty' : `at position ${error.current}`;
    throw new DomainError('read_model_behind', `The read model is ${at}, not yet at ${wanted}.`, { cause: error });
  }
};
