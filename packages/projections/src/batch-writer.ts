import type { ClientBase } from 'pg';
import type { RecordedEvent } from '@agent-trust/event-log';
import { type Chunk, chunksOf } from './bulk.ts';
import { advanceCheckpoint, asCheckpointMoved, type Checkpoint } from './checkpoint.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';
import { prepareWrites } from './row-write.ts';
import type { RowCache } from './row-cache.ts';
import { transact } from './session.ts';
import { PoisonEventError, UnitOfWork } from './unit-of-work.ts';

/**
 * Applies batches of events to one schema, each batch and its checkpoint in one transaction.
 * After any error but {@link PoisonEventError} it must be thrown away with its cache.
 */
export class BatchWriter<Event extends ProjectedEvent> {
  checkpoint: Checkpoint;
  readonly #client: ClientBase;
  readonly #schema: string;
  readonly #readModel: ReadModel<Event>;
  readonly #cache: RowCache;

  constructor(options: {
    client: ClientBase;
    /** Names the channel on which commits are announced. */
    schema: string;
    readModel: ReadModel<Event>;
    cache: RowCache;
    checkpoint: Checkpoint;
  }) {
    this.#client = options.client;
    this.#schema = options.schema;
    this.#readModel = options.readModel;
    this.#cache = options.cache;
    this.checkpoint = options.checkpoint;
  }

  /**
   * Applies the events and commits. When one is poison, those before it are committed and the error names it.
   *
   * @throws PoisonEventError, CheckpointMovedError, database errors
   */
  async write(recorded: readonly RecordedEvent[]): Promise<void> {
    try {
      await this.#writeAll(recorded);
    } catch (error) {
      if (!(error instanceof PoisonEventError)) throw error;
      const poison = recorded.findIndex(({ position }) => position === error.event.position);
      // What is before it may be written already, up to a stretch's end.
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
    const unit = new UnitOfWork(this.#cache);
    // Loading outside the transaction is sound: had anybody written in between, the checkpoint would have moved.
    await unit.load(() => Promise.resolve(this.#client), events, projections);
    unit.apply(events, projections);
    const writes = prepareWrites(unit.changes);
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
    unit.keepInCache();
  }
}
