import { pause } from '@agent-trust/limits';
import pg from 'pg';
import { checkpointChannel, readCheckpoint } from './checkpoint.ts';
import { projectionLimits, type ProjectionLogger, silentLogger } from './limits.ts';
import { closeQuietly, type ConnectionSettings } from './session.ts';

/** A wait for a position ended without it. */
export class WaitForPositionError extends Error {
  readonly reason: 'timeout' | 'aborted' | 'too_many_waiters' | 'closed';
  /** The read model's position when the wait ended. */
  readonly current: bigint | null;

  constructor(reason: WaitForPositionError['reason'], wanted: bigint, current: bigint | null) {
    super(`read model is at ${current ?? 'no position'}, not yet at ${wanted} (${reason})`);
    this.name = 'WaitForPositionError';
    this.reason = reason;
    this.current = current;
  }
}

export type CheckpointWatcher = {
  /** The last known position; null before the first event, or while unknown. */
  current(): bigint | null;
  /** Reports a commit of this process. */
  committed(position: bigint): void;
  /** Resolves when the checkpoint has reached the position. @throws WaitForPositionError */
  waitFor(position: bigint, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void>;
  close(): Promise<void>;
};

type Waiter = { position: bigint; settle: (error: WaitForPositionError | null) => void };

/**
 * Follows the checkpoint of a read model from any process, by LISTEN, with a poll as fallback while a caller waits. Reconnects by itself, with
 * short pauses: each write is held up until its checkpoint is seen. Waits outlast a lost connection until their own timeout. While this process writes the read model, it reports its commits itself and does
 * not listen: every notification of a database costs each connection that listens a transaction.
 */
export function createCheckpointWatcher(options: {
  connection: ConnectionSettings;
  schema: string;
  logger?: ProjectionLogger;
  waitersMax?: number;
  pollMs?: number;
  /** Whether this process writes the read model now, and reports its commits. */
  isWriting?: () => boolean;
}): CheckpointWatcher {
  const logger = options.logger ?? silentLogger;
  const waitersMax = options.waitersMax ?? projectionLimits.waitersMax;
  const pollMs = options.pollMs ?? projectionLimits.checkpointPollMs;
  const isWriting = options.isWriting ?? (() => false);
  const waiters = new Set<Waiter>();
  const closing = new AbortController();
  const channel = pg.escapeIdentifier(checkpointChannel(options.schema));
  let position: bigint | null = null;
  let reports = 0;
  let hasWarned = false;

  // The reported position, not a maximum: a database that crashed may have lost its last batches.
  const observe = (observed: bigint | null): void => {
    position = observed;
    if (observed === null) return;
    for (const waiter of waiters) if (waiter.position <= observed) waiter.settle(null);
  };

  const look = async (client: pg.Client): Promise<void> => {
    const before = reports;
    const { position: found } = await readCheckpoint(client, options.schema);
    // A commit that was reported meanwhile is newer than what was read.
    if (reports === before) observe(found);
  };

  const listen = async (): Promise<void> => {
    const client = new pg.Client({
      ...options.connection,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    const ended = AbortSignal.any([closing.signal, lost.signal]);
    try {
      await client.connect();
      hasWarned = false;
      client.on('notification', ({ payload }) => observe(BigInt(payload ?? '')));
      for (let isListening = false, isFirst = true; !ended.aborted; isFirst = false) {
        const listens = !isWriting();
        const changes = listens !== isListening;
        if (changes) await client.query(listens ? `LISTEN ${channel}` : `UNLISTEN ${channel}`);
        isListening = listens;
        if (isFirst || changes || waiters.size > 0) await look(client);
        await pause(pollMs, ended);
      }
    } finally {
      await closeQuietly(client);
    }
  };

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await listen();
      } catch (error) {
        if (!hasWarned) logger.warn({ err: error }, 'cannot follow the checkpoint; trying again');
        hasWarned = true;
      }
      await pause(pollMs, closing.signal);
    }
  };
  const running = run();

  return {
    current: () => position,
    committed: (written) => {
      reports += 1;
      observe(written);
    },
    waitFor: (wanted, { timeoutMs, signal }) => {
      if (position !== null && position >= wanted) return Promise.resolve();
      const refusal = closing.signal.aborted
        ? 'closed'
        : signal?.aborted === true
          ? 'aborted'
          : waiters.size >= waitersMax
            ? 'too_many_waiters'
            : null;
      if (refusal !== null) return Promise.reject(new WaitForPositionError(refusal, wanted, position));
      return new Promise<void>((resolve, reject) => {
        const fail = (reason: WaitForPositionError['reason']) => (): void =>
          waiter.settle(new WaitForPositionError(reason, wanted, position));
        const onAbort = fail('aborted');
        const onClose = fail('closed');
        const timer = setTimeout(fail('timeout'), timeoutMs);
        const waiter: Waiter = {
          position: wanted,
          settle: (error) => {
            waiters.delete(waiter);
            clearTimeout(timer);
            signal?.removeEventListener('abort', onAbort);
            closing.signal.removeEventListener('abort', onClose);
            if (error === null) resolve();
            else reject(error);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', onAbort, { once: true });
        closing.signal.addEventListener('abort', onClose, { once: true });
      });
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
