import type { ClientBase, QueryConfig } from 'pg';
import type { RecordedEvent } from '@agent-trust/event-log';
import { type BatchStatement, batchStatements } from './batch-statement.ts';
import { type Chunk, chunksOf } from './bulk.ts';
import { advanceCheckpoint, asCheckpointMoved, type Checkpoint, type ReachedEvent } from './checkpoint.ts';
import type { LeadingGate } from './commit-gate.ts';
import { PoisonEventError } from './each-event.ts';
import { HeldRows } from './held-rows.ts';
import type { ProjectedEvent, ReadModel, Upkeep } from './projection.ts';
import { rowStatements } from './row-sql.ts';
import { transact } from './session.ts';

/**
 * Applies batches of events to one schema, each batch and its checkpoint in one transaction. It keeps rows between batches, which is valid
 * because one runner writes at a time: after any error of `send` except {@link PoisonEventError} it must be thrown away.
 *
 * While the database commits a batch, the next one is applied in memory. That is sound because all statements use one connection, which
 * answers in order: what is loaded for the next batch is read after the commit, and nothing more is written if the commit fails.
 */
export class BatchWriter<Event extends ProjectedEvent> {
  /** Of the last batch that was committed. */
  checkpoint: Checkpoint;
  readonly #client: ClientBase;
  readonly #schema: string;
  readonly #readModel: ReadModel<Event>;
  readonly #rowsPerTableMax: number;
  readonly #statementOf: ReturnType<typeof batchStatements>;
  readonly #onCommit: (position: bigint) => void;
  readonly #onBatch: ((events: number, tookMs: number) => void) | undefined;
  readonly #gate: LeadingGate<Event> | undefined;
  #rows: HeldRows;
  /** The gate has heard of all events up to here. */
  #announced: bigint | null = null;
  /** The commit under way, or the last one. */
  #committing: Promise<void> = Promise.resolve();

  constructor(options: {
    client: ClientBase;
    /** Names the channel on which commits are announced. */
    schema: string;
    readModel: ReadModel<Event>;
    /** Limit of the rows that are kept of each table. */
    rowsPerTableMax: number;
    checkpoint: Checkpoint;
    onCommit?: (position: bigint) => void;
    /** Called after each commit, with the number of its events and the time since they were taken. */
    onBatch?: ((events: number, tookMs: number) => void) | undefined;
    gate?: LeadingGate<Event> | undefined;
  }) {
    this.#client = options.client;
    this.#schema = options.schema;
    this.#readModel = options.readModel;
    this.#rowsPerTableMax = options.rowsPerTableMax;
    this.checkpoint = options.checkpoint;
    this.#statementOf = batchStatements(options.schema);
    this.#onCommit = options.onCommit ?? (() => undefined);
    this.#onBatch = options.onBatch;
    this.#gate = options.gate;
    this.#rows = this.#noRows();
  }

  /** Applies the events and commits; if that fails, the same events may be written again. @throws as `send` and `settle` */
  async write(recorded: readonly RecordedEvent[]): Promise<void> {
    try {
      await this.send(recorded);
      await this.settle();
    } catch (error) {
      this.#rows = this.#noRows();
      this.#committing = Promise.resolve();
      throw error;
    }
  }

  /**
   * Applies the events and sends what they change; the batch before is committed then. If one is poison, those before it are committed and
   * the error names it.
   *
   * @throws PoisonEventError, CheckpointMovedError, database errors, also those of the commit before
   */
  async send(recorded: readonly RecordedEvent[]): Promise<void> {
    try {
      await this.#sendAll(recorded);
    } catch (error) {
      // The rows in memory have changes that are not committed.
      this.#rows = this.#noRows();
      if (!(error instanceof PoisonEventError)) throw error;
      await this.settle();
      const poison = recorded.findIndex(({ position }) => position === error.event.position);
      // Events before it may be committed already, up to the end of a chunk.
      const { position: written } = this.checkpoint;
      const before = recorded.slice(0, poison).filter(({ position }) => written === null || position > written);
      if (before.length > 0) await this.#sendAll(before);
      await this.settle();
      throw error;
    }
  }

  /** Resolves when everything that was sent is committed. @throws CheckpointMovedError, database errors */
  settle(): Promise<void> {
    return this.#committing;
  }

  /**
   * Calls a step of the read model's upkeep, when everything that was sent is committed.
   *
   * @returns the milliseconds until the next step
   * @throws as `settle`, and the step's errors
   */
  async upkeep({ tables, step }: Upkeep & { step: NonNullable<Upkeep['step']> }): Promise<number> {
    await this.settle();
    try {
      return await step(this.#client);
    } finally {
      this.#rows.forget(tables);
    }
  }

  async #sendAll(recorded: readonly RecordedEvent[]): Promise<void> {
    for (const chunk of chunksOf(this.#readModel, recorded)) await this.#sendChunk(chunk);
  }

  async #sendChunk({ recorded, events, bulk }: Chunk<Event>): Promise<void> {
    const last = recorded.at(-1);
    if (last === undefined) return;
    const { projections } = this.#readModel;
    const startedAt = performance.now();
    const announce = (beside: readonly string[]): void => {
      // Events before a poison event may have been announced with it.
      if (this.#announced !== null && last.position <= this.#announced) return;
      this.#gate?.announce({ position: last.position, events, unknown: events.length < recorded.length, beside });
      this.#announced = last.position;
    };
    // While the batch is applied, those who must hear of it do.
    const namesMore = this.#readModel.changedBeside !== undefined;
    if (!namesMore) announce([]);
    // Loading outside the transaction is sound: had anybody written in between, the checkpoint would have moved.
    await this.#rows.load(this.#client, events, projections);
    await this.#rows.apply(this.#client, events, projections);
    if (namesMore) announce(this.#readModel.changedBeside?.(events) ?? []);
    const taken = this.#rows.take(true, 0);
    const whole = bulk.length === 0 ? this.#statementOf(taken) : null;
    const writes = whole === null ? [...rowStatements(taken), ...bulk] : [];
    await this.#committing;
    await this.#gate?.mayCommit(last.position);
    this.#committing = this.#commit(last, whole, writes).then(() =>
      this.#onBatch?.(recorded.length, performance.now() - startedAt),
    );
    // The next `send` or `settle` gets the error.
    this.#committing.catch(() => undefined);
    // What is loaded again is read after this commit, so rows may leave memory.
    this.#rows.take(false, Number.POSITIVE_INFINITY);
  }

  async #commit(
    { position, eventId }: ReachedEvent,
    whole: BatchStatement | null,
    writes: readonly QueryConfig[],
  ): Promise<void> {
    const reached = { position, eventId };
    try {
      if (whole !== null) await this.#client.query(whole(this.checkpoint, reached));
      else await transact(this.#client, [advanceCheckpoint(this.#schema, this.checkpoint, reached), ...writes]);
    } catch (error) {
      throw asCheckpointMoved(this.#schema, error);
    }
    this.checkpoint = { ...this.checkpoint, ...reached };
    this.#onCommit(position);
    this.#gate?.hasCommitted(position);
  }

  #noRows(): HeldRows {
    return new HeldRows({ rowsPerTableMax: this.#rowsPerTableMax, storedKeysBytes: null });
  }
}
