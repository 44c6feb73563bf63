import type { EventLog, RecordedEvent } from '@agent-trust/event-log';
import type { Client } from 'pg';
import {
  closeQuietly,
  type ConnectionSettings,
  inTransaction,
  openWriterSession,
  tryAdvisoryLock,
} from '../session.ts';
import { readCheckpoint } from '../checkpoint.ts';
import { projectionLimits, type ProjectionLogger, silentLogger } from '../limits.ts';
import type { ProjectedEvent, ReadModel } from '../projection.ts';
import { createSchema, type SchemaState } from '../schema.ts';
import { quoteIdentifier } from '../table.ts';
import { compareSchemas, type Comparison } from './compare.ts';
import { progressMeter, readSlices, type ReplayProgress } from './progress.ts';
import { HeldRows } from '../held-rows.ts';
import { ReplayWriter } from './replay-writer.ts';
import { dropUnusedIndexes, makePrimaryKey } from './secondary-indexes.ts';
import { type SwitchGuard, dropRetired, retiredSchema, switchSchemas } from './switch.ts';

export type ReplayOptions<Event extends ProjectedEvent> = {
  connection: ConnectionSettings;
  /** The live schema; the new one is built in `<schema>_next`. */
  schema: string;
  log: EventLog;
  readModel: ReadModel<Event>;
  /** Do not compare: the live read model was computed from another log. */
  skipComparison?: boolean;
  /** Switch even if rows differ, because the projections' code was changed on purpose. */
  acceptDifferences?: boolean;
  /**
   * Called at the switch, when the live read model is blocked and the new one has reached its position: only the new one applies an event
   * that is appended here. Returns the position that the new one must reach before it takes the live one's name. If this or a later step
   * fails, nothing is switched.
   */
  atSwitch?: () => Promise<bigint>;
  /** Called before the switch, which changes all rows at once. */
  beforeSwitch?: () => Promise<SwitchGuard>;
  onProgress?: (progress: ReplayProgress) => void;
  logger?: ProjectionLogger;
  signal?: AbortSignal;
  /** Events read from the log at a time. */
  batchEventsMax?: number;
  /** Rows of append-only tables collected before they are written. */
  insertsMin?: number;
  /** Rows of each table kept in memory. */
  rowsPerTableMax?: number;
  differencesShownMax?: number;
  /** How long one attempt to remove the former read model waits for its readers. */
  dropLockTimeoutMs?: number;
};

export type ReplayReport = {
  /** Events read from the log, those of unknown types included. */
  events: number;
  durationMs: number;
  /** While building, without comparison and switch. */
  eventsPerSecond: number;
  /** Null when the live schema was outdated or computed from another log: its rows mean something else. */
  comparison: Comparison | null;
  switched: boolean;
  /** Checkpoint of the new read model at the end. */
  position: bigint | null;
};

/** Another replay of the same read model is under way. */
export class ReplayInProgressError extends Error {
  constructor(schema: string) {
    super(`another replay of ${schema} is under way`);
    this.name = 'ReplayInProgressError';
  }
}

export function nextSchema(schema: string): string {
  return `${schema}_next`;
}

/**
 * Builds a read model again from the first event, beside the live one, which continues to serve. At the same position every row of every
 * table is compared, except tables that the read model excludes; then the new one catches up and takes the live one's name in one
 * transaction. Rows that differ prevent the switch, unless they are accepted. An outdated live schema is not compared.
 *
 * If it is killed, the live read model stays as it was, and the next replay removes the remains.
 *
 * @throws ReplayInProgressError, PoisonEventError, database and log errors
 */
export function replayReadModel<Event extends ProjectedEvent>(options: ReplayOptions<Event>): Promise<ReplayReport> {
  return withReplayLock(options, (sessions, live) => buildCompareSwitch(sessions, live, options));
}

/** The same, unless another replay has replaced the outdated live schema meanwhile. @throws as `replayReadModel` */
export function rebuildOutdated<Event extends ProjectedEvent>(
  options: ReplayOptions<Event>,
): Promise<ReplayReport | null> {
  return withReplayLock(options, async (sessions, live) =>
    live === 'outdated' ? buildCompareSwitch(sessions, live, options) : null,
  );
}

const withReplayLock = async <Event extends ProjectedEvent, Result>(
  options: ReplayOptions<Event>,
  work: (sessions: Sessions, live: SchemaState) => Promise<Result>,
): Promise<Result> => {
  const next = nextSchema(options.schema);
  const open = (limits: { statementTimeoutMs?: number } = {}): Promise<Client> =>
    openWriterSession(options.connection, next, () => undefined, { pipeline: false, ...limits });
  const client = await open();
  const bulk: Client[] = [];
  try {
    const openBulk = async (): Promise<Client> => {
      const session = await open({ statementTimeoutMs: projectionLimits.wholeTableTimeoutMs });
      bulk.push(session);
      return session;
    };
    const sessions = { client, bulk: [await openBulk(), await openBulk()] } satisfies Sessions;
    if (!(await tryAdvisoryLock(client, 'replay', options.schema))) throw new ReplayInProgressError(options.schema);
    await client.query(`DROP SCHEMA IF EXISTS ${quoteIdentifier(next)} CASCADE`);
    await client.query(`DROP SCHEMA IF EXISTS ${quoteIdentifier(retiredSchema(options.schema))} CASCADE`);
    const live = await createSchema(client, options.schema, options.readModel.schema);
    return await work(sessions, live);
  } finally {
    for (const session of bulk) await closeQuietly(session);
    await closeQuietly(client);
  }
};

/** One for queries and transactions, two for bulk writes. */
type Sessions = { client: Client; bulk: [Client, Client] };

const buildCompareSwitch = async <Event extends ProjectedEvent>(
  { client, bulk }: Sessions,
  live: SchemaState,
  options: ReplayOptions<Event>,
): Promise<ReplayReport> => {
  const { log, schema } = options;
  const next = nextSchema(schema);
  await createSchema(client, next, options.readModel.schema);
  const batchEventsMax = options.batchEventsMax ?? projectionLimits.replayBatchEventsMax;
  const checkpoint = await readCheckpoint(client, next);
  const readModel = (await options.readModel.forSchema?.(client, checkpoint)) ?? options.readModel;
  const tables = readModel.projections.flatMap((projection) => projection.tables);
  const indexes = await dropUnusedIndexes(client, next, tables);
  const writer = new ReplayWriter({
    client,
    bulk,
    schema: next,
    readModel,
    rows: new HeldRows({
      rowsPerTableMax: options.rowsPerTableMax ?? projectionLimits.replayRowsPerTableMax,
      storedKeysBytes: projectionLimits.replayStoredKeysBytes,
      copiesInserts: true,
      beforeLoadByKey: (table) => makePrimaryKey(client, indexes, table),
    }),
    checkpoint,
    insertsMin: options.insertsMin ?? projectionLimits.replayInsertsMin,
  });
  const meter = progressMeter(await log.headPosition(), options.onProgress);

  /** Applies everything after the checkpoint, up to and including a position; null means the present end of the log. */
  const buildTo = async (
    target: bigint | null,
    write: (page: readonly RecordedEvent[]) => Promise<void>,
  ): Promise<void> => {
    for await (const page of readSlices(log, {
      after: writer.position,
      upTo: target,
      countMax: batchEventsMax,
    })) {
      options.signal?.throwIfAborted();
      await write(page);
      meter.add(page);
    }
  };
  const apply = (page: readonly RecordedEvent[]): Promise<void> => writer.write(page);
  const catchUp = async (): Promise<void> => {
    await buildTo(null, apply);
    await writer.settle();
  };
  const livePosition = async (): Promise<bigint | null> => (await readCheckpoint(client, schema)).position;

  const buildAndCompare = async (): Promise<Comparison> => {
    // Never past the live checkpoint: the comparison can move this one forward to the live position, but not back.
    for (let target = await livePosition(); target !== null && target !== writer.position; ) {
      await buildTo(target, apply);
      target = await livePosition();
      if (target !== null && (await isNear(log, writer.position, target))) break;
    }
    await writer.settle(indexes);
    meter.phase('compare');
    return inTransaction(
      client,
      async () => {
        // The snapshot fixes the live rows at this position; the last events are applied in the same transaction, so that it has both read
        // models at one position while the live one moves on.
        const { position } = await readCheckpoint(client, schema);
        if (position !== null) await buildTo(position, (page) => writer.writeWithin(page));
        await writer.repeatUpkeep(schema);
        return compareSchemas(client, {
          live: schema,
          replayed: next,
          position,
          shownMax: options.differencesShownMax ?? projectionLimits.differencesShownMax,
          notCompared: readModel.notCompared ?? [],
        });
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
  };

  meter.phase('build');
  let comparison: Comparison | null = null;
  if (live === 'outdated' || options.skipComparison === true) {
    await buildTo(null, apply);
    await writer.settle(indexes);
  } else comparison = await buildAndCompare();

  const accepted = comparison === null || comparison.rowsDiffering === 0 || options.acceptDifferences === true;
  if (accepted) {
    meter.phase('switch');
    const guard = await options.beforeSwitch?.();
    try {
      await switchSchemas({ client, schema, next, log, writer, catchUp, guard, atSwitch: options.atSwitch });
    } finally {
      await guard?.end();
    }
    await dropRetired(client, schema, {
      lockTimeoutMs: options.dropLockTimeoutMs ?? projectionLimits.dropLockTimeoutMs,
      logger: options.logger ?? silentLogger,
    });
  }
  return { ...meter.end(), comparison, switched: accepted, position: writer.position };
};

const isNear = async (log: EventLog, after: bigint | null, target: bigint): Promise<boolean> => {
  const countMax = projectionLimits.switchEventsMax;
  const events = await log.readAll({ after, countMax });
  return events.length < countMax || (events.at(-1)?.position ?? 0n) >= target;
};
