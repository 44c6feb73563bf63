import type { RecordedEvent } from '@agent-trust/event-log';
import type { ClientBase, QueryConfig } from 'pg';
import { type Chunk, chunksOf } from '../bulk.ts';
import { advanceCheckpoint, asCheckpointMoved, type Checkpoint, type ReachedEvent } from '../checkpoint.ts';
import type { ProjectedEvent, ReadModel } from '../projection.ts';
import { inTransaction } from '../session.ts';
import type { HeldRows } from '../held-rows.ts';
import type { MissingIndexes } from './secondary-indexes.ts';
import { writeRows } from './write-rows.ts';

/**
 * Applies events to a schema that nobody else reads or writes yet. So, unlike the live writer, it may keep changed rows in memory until
 * they are at rest, and apply the next events while the database writes the last ones. One write is under way at a time. Only `settle`
 * moves the checkpoint; until then the schema is incomplete. After any error it must be thrown away with its rows and its schema.
 */
export class ReplayWriter<Event extends ProjectedEvent> {
  /** The last event applied; not all of it is written before `settle`. */
  #reached: ReachedEvent | null = null;
  readonly #start: bigint | null;
  readonly #client: ClientBase;
  readonly #bulk: readonly ClientBase[];
  readonly #schema: string;
  readonly #readModel: ReadModel<Event>;
  readonly #rows: HeldRows;
  readonly #insertsMin: number;
  #settled: Checkpoint;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: {
    /** For queries, and for writes in a transaction. As those for bulk writes without pipelining, which COPY does not allow. */
    client: ClientBase;
    /** For bulk writes, of one table each at a time: a write goes on only between two chunks of events, so one by one the tables would take longer. */
    bulk: readonly ClientBase[];
    schema: string;
    readModel: ReadModel<Event>;
    rows: HeldRows;
    checkpoint: Checkpoint;
    /** Appended rows that are collected before they are written. */
    insertsMin: number;
  }) {
    this.#client = options.client;
    this.#bulk = options.bulk;
    this.#schema = options.schema;
    this.#readModel = options.readModel;
    this.#rows = options.rows;
    this.#insertsMin = options.insertsMin;
    this.#settled = options.checkpoint;
    this.#start = options.checkpoint.position;
  }

  /** Position of the last event applied. */
  get position(): bigint | null {
    return this.#reached?.position ?? this.#start;
  }

  /** Applies a page of events. @throws PoisonEventError, database errors (also those of an earlier write) */
  async write(page: readonly RecordedEvent[]): Promise<void> {
    for (const chunk of chunksOf(this.#readModel, page)) {
      if (chunk.afterWrites) await this.settle();
      await this.#apply(chunk);
      if (chunk.bulk.length > 0) {
        await this.settle();
        await inTransaction(this.#client, () => this.#run(chunk.bulk));
        continue;
      }
      const taken = this.#rows.take(false, this.#insertsMin);
      if (taken.size === 0) continue;
      // Rows that were taken before may leave memory, so they must be in the database.
      await this.#writing;
      this.#writing = writeRows(this.#bulk, taken);
      // The next `write` or `settle` gets the error.
      this.#writing.catch(() => undefined);
    }
  }

  /** Resolves when everything applied is committed, and the indexes are made; then none is missing. */
  async settle(indexes: MissingIndexes = new Map()): Promise<void> {
    await this.#writing;
    const isSettled = this.position === null || this.position === this.#settled.position;
    await writeRows(this.#bulk, isSettled ? new Map() : this.#rows.take(true, 0), indexes);
    indexes.clear();
    if (!isSettled) await this.#advance();
  }

  /** Applies and writes a page in the caller's transaction, after `settle`. */
  async writeWithin(page: readonly RecordedEvent[]): Promise<void> {
    for (const chunk of chunksOf(this.#readModel, page)) {
      await this.#apply(chunk);
      await this.#advance();
      await writeRows([this.#client], this.#rows.take(true, 0));
      await this.#run(chunk.bulk);
    }
  }

  /** Does what upkeep has done to the live rows, in the caller's transaction, after `settle`. */
  async repeatUpkeep(live: string): Promise<void> {
    const { upkeep } = this.#readModel;
    if (upkeep === undefined) return;
    await upkeep.repeat(this.#client, live);
    this.#rows.forget(upkeep.tables);
  }

  async #apply({ recorded, events }: Chunk<Event>): Promise<void> {
    const last = recorded.at(-1);
    if (last === undefined) return;
    const { projections } = this.#readModel;
    await this.#rows.load(this.#client, events, projections);
    await this.#rows.apply(this.#client, events, projections);
    this.#reached = { position: last.position, eventId: last.eventId };
  }

  async #run(statements: readonly QueryConfig[]): Promise<void> {
    for (const statement of statements) await this.#client.query(statement);
  }

  /** Moves the checkpoint to the present position. */
  async #advance(): Promise<void> {
    if (this.#reached === null) return;
    try {
      await this.#client.query(advanceCheckpoint(this.#schema, this.#settled, this.#reached));
    } catch (error) {
      throw asCheckpointMoved(this.#schema, error);
    }
    this.#settled = { ...this.#settled, ...this.#reached };
  }
}
