import type { ClientBase } from 'pg';
import type { RecordedEvent } from '@agent-trust/event-log';
import { advanceCheckpoint, type Checkpoint } from './checkpoint.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';
import { prepareWrites, sendWrites } from './row-write.ts';
import type { RowCache } from './row-cache.ts';
import { inTransaction } from './session.ts';
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
      await this.#writeAll(recorded, (work) => inTransaction(this.#client, work));
    } catch (error) {
      if (!(error instanceof PoisonEventError)) throw error;
      const before = recorded.findIndex(({ position }) => position === error.event.position);
      if (before > 0) await this.#writeAll(recorded.slice(0, before), (work) => inTransaction(this.#client, work));
      throw error;
    }
  }

  /** As `write`, inside a transaction that the caller has begun and will end. All events or none. */
  async writeWithin(recorded: readonly RecordedEvent[]): Promise<void> {
    await this.#writeAll(recorded, (work) => work());
  }

  async #writeAll(
    recorded: readonly RecordedEvent[],
    transaction: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const last = recorded.at(-1);
    if (last === undefined) return;
    const { projections } = this.#readModel;
    const events = this.#decode(recorded);
    const unit = new UnitOfWork(this.#cache);
    // Loading outside the transaction is sound: had anybody written in between, the checkpoint would have moved.
    await unit.load(this.#client, events, projections);
    unit.apply(events, projections);
    const writes = prepareWrites(unit.changes);
    await transaction(async () => {
      await advanceCheckpoint(this.#client, this.#schema, this.checkpoint, last.position);
      await sendWrites(this.#client, writes);
    });
    this.checkpoint = { ...this.checkpoint, position: last.position };
    unit.keepInCache();
  }

  #decode(recorded: readonly RecordedEvent[]): Event[] {
    const events: Event[] = [];
    for (const [index, record] of recorded.entries()) {
      let event: Event | null;
      try {
        event = this.#readModel.decode(record);
      } catch (cause) {
        throw new PoisonEventError(record, 'decode', index, cause);
      }
      if (event !== null) events.push(event);
    }
    return events;
  }
}
