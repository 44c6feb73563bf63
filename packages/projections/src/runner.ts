import type { EventLog, RecordedEvent, Subscription } from '@agent-trust/event-log';
import { type BackoffOptions, backoffMs, pause } from '@agent-trust/limits';
import type { Client } from 'pg';
import { closeQuietly, type ConnectionSettings, openWriterSession, tryAdvisoryLock } from './session.ts';
import { BatchWriter } from './batch-writer.ts';
import { type Checkpoint, CheckpointMovedError, readCheckpoint } from './checkpoint.ts';
import { projectionLimits, type ProjectionLogger, silentLogger } from './limits.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';
import { type CommitGate, type LeadingGate, LockWantedError } from './commit-gate.ts';
import { PoisonEventError } from './each-event.ts';
import { ensureSameLog } from './same-log.ts';
import { traceBatch } from './trace-batch.ts';
import { keepUp, turns } from './upkeep.ts';

type PoisonReport = { position: bigint; eventId: string; type: string; projection: string; message: string };

export type RunnerStatus = {
  /** `standby` waits for the lock, `active` holds it, `retrying` waits after an error. */
  state: 'starting' | 'standby' | 'active' | 'retrying' | 'stopped';
  /** Position of this process's last commit; null while it has made none. */
  position: bigint | null;
  error: string | null;
  /** The event that stops the read model, until it has been applied. */
  poison: PoisonReport | null;
};

export type RunnerOptions<Event extends ProjectedEvent> = {
  connection: ConnectionSettings;
  schema: string;
  log: EventLog;
  readModel: ReadModel<Event>;
  /** Must let each batch pass before it is committed. */
  gate?: CommitGate<Event> | undefined;
  logger?: ProjectionLogger;
  /** Called after each commit of this process. */
  onCommit?: (position: bigint) => void;
  /** Called after each commit of this process: how many events it had, and how long they took. */
  onBatch?: (events: number, tookMs: number) => void;
  batchEventsMax?: number;
  /** How long events are gathered: see `SubscribeOptions`. */
  pauseMs?: number;
  cachedRowsPerTableMax?: number;
  standbyPollMs?: number;
  retryBackoff?: BackoffOptions;
};

export type Runner = {
  status(): RunnerStatus;
  /** Ends the pause between two batches, if this process writes. */
  hurry(): void;
  /** Ends after the batch in hand; resolves when nothing runs any more. */
  stop(): Promise<void>;
};

/** A switch is complete when it is noticed; the pause only limits a loop on a fault that looks like a switch. */
const switchPauseMs = 10;
/** How often a runner that is stopped by an event checks whether another build has passed it: reads wait for later writes. */
const poisonLookMs = 1_000;

/**
 * Keeps a read model up to date with the log. Any number of processes may run one; the holder of the advisory lock writes, the others
 * stand by and take over when its connection ends.
 *
 * A batch's rows and its checkpoint commit together, so a crash applies no event partly or twice. An event that cannot be applied stops the
 * read model, is reported in `status().poison` and retried with growing pauses, but never skipped. The second failure is logged as an error.
 */
export function startRunner<Event extends ProjectedEvent>(options: RunnerOptions<Event>): Runner {
  const logger = options.logger ?? silentLogger;
  const stopping = new AbortController();
  const status: RunnerStatus = { state: 'starting', position: null, error: null, poison: null };
  const retryBackoff = options.retryBackoff ?? projectionLimits.retryBackoff;
  const following: Following = { subscription: null };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const positionBefore = status.position;
      try {
        await holdLockAndFollow(options, status, following, stopping.signal, logger);
      } catch (error) {
        if (stopping.signal.aborted) break;
        if (error instanceof CheckpointMovedError) {
          logger.info({ schema: options.schema }, 'read model was switched; following the new one');
          await pause(switchPauseMs, stopping.signal);
          continue;
        }
        if (error instanceof LockWantedError) {
          status.state = 'standby';
          await pause(options.standbyPollMs ?? projectionLimits.standbyPollMs, stopping.signal);
          continue;
        }
        report(status, error, logger);
      }
      if (status.position !== positionBefore) failures = 0;
      const longestMs = status.poison === null ? projectionLimits.reconnectMsMax : Number.POSITIVE_INFINITY;
      const waitMs = Math.min(longestMs, backoffMs(failures++, retryBackoff));
      await pauseBeforeRetry(options, status.poison, waitMs, stopping.signal);
    }
    status.state = 'stopped';
  };

  const running = run();
  return {
    status: () => ({ ...status }),
    hurry: () => following.subscription?.hurry(),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

const report = (status: RunnerStatus, error: unknown, logger: ProjectionLogger): void => {
  status.state = 'retrying';
  status.error = error instanceof Error ? error.message : String(error);
  if (error instanceof PoisonEventError) {
    const { position, eventId, type } = error.event;
    // A first failure may be no fault: at a switch of the trust policy, the old build meets the event before it is replaced.
    const isStuck = status.poison?.eventId === eventId;
    status.poison = { position, eventId, type, projection: error.projection, message: error.message };
    const fields = { err: error, position: String(position), eventId, type };
    if (isStuck) logger.error(fields, 'the read model is stopped by an event');
    else logger.info(fields, 'the read model cannot apply an event; trying once more');
  } else {
    logger.warn({ err: error }, 'projection interrupted; it resumes after its checkpoint');
  }
};

/** The subscription of the runner that writes. */
type Following = { subscription: Subscription | null };

const holdLockAndFollow = async <Event extends ProjectedEvent>(
  options: RunnerOptions<Event>,
  status: RunnerStatus,
  following: Following,
  stopping: AbortSignal,
  logger: ProjectionLogger,
): Promise<void> => {
  // All writes use the connection that holds the lock, so both are lost together.
  const client = await openWriterSession(options.connection, options.schema, () => lost.abort());
  const lost = new AbortController();
  const ended = AbortSignal.any([stopping, lost.signal]);
  client.on('end', () => lost.abort());
  try {
    if (!(await waitForLock(client, options, status, ended))) return;
    logger.info({ schema: options.schema }, 'this instance projects now');
    await lead(client, options, status, following, { ended, lost: lost.signal });
    if (lost.signal.aborted && !stopping.aborted)
      throw new Error('the connection that holds the projection lock was lost');
  } finally {
    await closeQuietly(client);
  }
};

const waitForLock = async <Event extends ProjectedEvent>(
  client: Client,
  options: RunnerOptions<Event>,
  status: RunnerStatus,
  ended: AbortSignal,
): Promise<boolean> => {
  while (!ended.aborted) {
    if (await tryAdvisoryLock(client, 'run', options.schema)) return true;
    status.state = 'standby';
    status.error = null;
    status.poison = null;
    await pause(options.standbyPollMs ?? projectionLimits.standbyPollMs, ended);
  }
  return false;
};

const lead = async <Event extends ProjectedEvent>(
  client: Client,
  options: RunnerOptions<Event>,
  status: RunnerStatus,
  following: Following,
  { ended, lost }: { ended: AbortSignal; lost: AbortSignal },
): Promise<void> => {
  const checkpoint = await readCheckpoint(client, options.schema);
  if (checkpoint.fingerprint !== options.readModel.schema.fingerprint) {
    throw new Error(`the schema ${options.schema} is that of another version: restart the instances of the older one`);
  }
  await ensureSameLog(options.log, checkpoint);
  const gate = await options.gate?.lead(client, checkpoint.position);
  // A commit that waits at the gate would wait for ever: nobody leads on a session that is lost.
  const endGate = (): void => void gate?.end(false);
  if (lost.aborted) endGate();
  else lost.addEventListener('abort', endGate, { once: true });
  try {
    const over = gate === undefined ? ended : AbortSignal.any([ended, gate.yielding]);
    await follow(client, options, { status, following, ended: over, checkpoint, gate });
    if (gate?.yielding.aborted === true) throw new LockWantedError(options.schema);
  } finally {
    lost.removeEventListener('abort', endGate);
    await gate?.end(!lost.aborted);
  }
};

const follow = async <Event extends ProjectedEvent>(
  client: Client,
  options: RunnerOptions<Event>,
  {
    status,
    following,
    ended,
    checkpoint,
    gate,
  }: {
    status: RunnerStatus;
    following: Following;
    ended: AbortSignal;
    checkpoint: Checkpoint;
    gate: LeadingGate<Event> | undefined;
  },
): Promise<void> => {
  const readModel = (await options.readModel.forSchema?.(client, checkpoint)) ?? options.readModel;
  const writer = new BatchWriter({
    client,
    schema: options.schema,
    readModel,
    rowsPerTableMax: options.cachedRowsPerTableMax ?? projectionLimits.cachedRowsPerTableMax,
    checkpoint,
    gate,
    onBatch: options.onBatch,
    onCommit: (position) => {
      status.position = position;
      options.onCommit?.(position);
      status.error = null;
      status.poison = null;
    },
  });
  status.state = 'active';
  status.position = checkpoint.position;
  // A replay may have passed it meanwhile.
  if (status.poison !== null && checkpoint.position !== null && checkpoint.position >= status.poison.position) {
    status.poison = null;
  }
  if (status.poison === null) status.error = null;
  const batchEventsMax = options.batchEventsMax ?? projectionLimits.batchEventsMax;
  const subscription = options.log.subscribeToAll({
    after: checkpoint.position,
    afterEventId: checkpoint.eventId,
    batchEventsMax,
    pauseMs: options.pauseMs ?? 0,
  });
  following.subscription = subscription;
  const closeSubscription = (): void => void subscription.close();
  ended.addEventListener('abort', closeSubscription, { once: true });
  if (ended.aborted) closeSubscription();
  const inTurn = turns();
  const over = new AbortController();
  const keepingUp = keepUp(writer, readModel.upkeep, {
    inTurn,
    ended: AbortSignal.any([ended, over.signal]),
    logger: options.logger ?? silentLogger,
  });
  const write = async (batch: readonly RecordedEvent[]): Promise<void> => {
    const startedAt = Date.now();
    await writer.send(batch);
    const settled = writer.settle().then(() => traceBatch(options.schema, batch, startedAt));
    // More events wait behind a full batch. Behind another one, waiting makes the next batch larger.
    if (batch.length < batchEventsMax) await settled;
    // A failed commit must not stay unnoticed until the next event.
    else settled.catch(closeSubscription);
  };
  try {
    for await (const batch of subscription) {
      await inTurn(() => write(batch));
      if (ended.aborted) break;
    }
    await writer.settle();
  } finally {
    over.abort();
    await keepingUp;
    ended.removeEventListener('abort', closeSubscription);
    following.subscription = null;
    await subscription.close();
  }
};

/** Waits for the next attempt, or until a replay or a switch has passed the event that stops the read model. */
const pauseBeforeRetry = async (
  { connection, schema }: Pick<RunnerOptions<ProjectedEvent>, 'connection' | 'schema'>,
  poison: PoisonReport | null,
  ms: number,
  stopping: AbortSignal,
): Promise<void> => {
  let leftMs = ms;
  while (poison !== null && leftMs > poisonLookMs && !stopping.aborted) {
    await pause(poisonLookMs, stopping);
    leftMs -= poisonLookMs;
    if (await hasReached(connection, schema, poison.position)) return;
  }
  await pause(leftMs, stopping);
};

const hasReached = async (connection: ConnectionSettings, schema: string, position: bigint): Promise<boolean> => {
  try {
    const client = await openWriterSession(connection, schema);
    try {
      const checkpoint = await readCheckpoint(client, schema);
      return checkpoint.position !== null && checkpoint.position >= position;
    } finally {
      await closeQuietly(client);
    }
  } catch {
    // The next attempt reports the error.
    return false;
  }
};
