import type { ClientBase } from 'pg';
import type { RecordedEvent } from '@agent-trust/event-log';
import { type Chunk, chunksOf } from './bulk.ts';
import { advanceCheckpoint, asCheckpointMoved, type Checkpoint } from './checkpoint.ts';
import { PoisonEventError } from './each-event.ts';
import { HeldRows } from './held-rows.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';
import { rowStatements } from './row-sql.ts';
import { transact } from './session.ts';

/**
 * Applies batches of events to one schema, each batch and its checkpoint in one transaction. It keeps rows between batches, which is valid
 * because one runner writes at a time: after any error except {@link PoisonEventError} it must be thrown away.
 */
export class BatchWriter<Event extends ProjectedEvent> {
  checkpoint: Checkpoint;
  readonly #client: ClientBase;
  readonly #schema: string;
  readonly #readModel: ReadModel<Event>;
  readonly #rowsPerTableMax: number;
  #rows: HeldRows;

  constructor(options: {
    client: ClientBase;
    /** Names the channel on which commits are announced. */
    schema: string;
    readModel: ReadModel<Event>;
    /** Limit of the rows that are kept of each table. */
    rowsPerTableMax: number;
    checkpoint: Checkpoint;
  }) {
    this.#client = options.client;
    this.#schema = options.schema;
    this.#readModel = options.readModel;
    this.#rowsPerTableMax = options.rowsPerTableMax;
    this.checkpoint = options.checkpoint;
    this.#rows = this.#noRows();
  }

  /**
   * Applies the events and commits. If one is poison, those before it are committed and the error names it.
   *
   * @throws PoisonEventError, CheckpointMovedError, database errors
   */
  async write(recorded: readonly RecordedEvent[]): Promise<void> {
    try {
      await this.#writeAll(recorded);
    } catch (error) {
      // The rows in memory have changes that are not committed.
      this.#rows = this.#noRows();
      if (!(error instanceof PoisonEventError)) throw error;
      const poison = recorded.findIndex(({ position }) => position === error.event.position);
      // Events before it may be committed already, up to the end of a chunk.
      const { position: written } = this.checkpoint;
      const before = recorded.slice(0, poison).filter(({ position }) => written === null || position > written);
      if (before.length > 0) await this.#writeAll(before);
      throw error;
    }
  }

  async #writeAll(recorded: readonly RecordedEvent[]): Promise<void> {
    for (const chunk of chunksOf(this.#readModel, recorded)) await this.#writeChunk(chunk);
  }

  async #writeChunk({ recorded, events, bulk }: Chunk<Event>): Promise<void> {
    const last = recorded.at(-1);
    if (last === undefined) return;
    const { projections } = this.#readModel;
    // Loading outside the transaction is sound: had anybody written in between, the checkpoint would have moved.
    await this.#rows.load(this.#client, events, projections);
    this.#rows.apply(events, projections);
    const writes = rowStatements(this.#rows.take(true, 0));
    try {
      await transact(this.#client, [
        advanceCheckpoint(this.#schema, this.checkpoint, last.position),
        ...writes,
        ...bulk,
      ]);
    } catch (error) {
      throw asCheckpointMoved(this.#schema, error);
    }
    this.checkpoint = { ...this.checkpoint, position: last.position };
    // Everything is committed, so rows may leave memory.
    this.#rows.take(false, Number.POSITIVE_INFINITY);
  }

  #noRows(): HeldRows {
    return new HeldRows({ rowsPerTableMax: this.#rowsPerTableMax, storedKeysBytes: null });
  }
}
