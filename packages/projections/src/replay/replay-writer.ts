import type { RecordedEvent } from '@agent-trust/event-log';
import type { ClientBase, QueryConfig } from 'pg';
import { advanceCheckpoint, asCheckpointMoved, type Checkpoint } from '../checkpoint.ts';
import { decodeEvents } from '../decode-events.ts';
import type { ProjectedEvent, ReadModel } from '../projection.ts';
import type { RowCache } from '../row-cache.ts';
import { prepareWrites } from '../row-write.ts';
import { sendTogether, transact } from '../session.ts';
import { UnitOfWork } from '../unit-of-work.ts';

/**
 * Applies events to a schema that nobody else reads or writes yet, so it may do what the live writer must not: gather many
 * pages before it writes, so that a row that changes often is written seldom, and go on with the next events while the database
 * is still busy with the last. One write is under way at a time.
 *
 * After any error it must be thrown away with its cache and its schema.
 */
export class ReplayWriter<Event extends ProjectedEvent> {
  /** Position of the last event applied; what is written may still be behind until `settle`. */
  position: bigint | null;
  readonly #client: ClientBase;
  readonly #schema: string;
  readonly #readModel: ReadModel<Event>;
  readonly #cache: RowCache;
  readonly #flushEventsMax: number;
  #written: Checkpoint;
  #unit: UnitOfWork;
  #unwrittenEvents = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: {
    client: ClientBase;
    schema: string;
    readModel: ReadModel<Event>;
    cache: RowCache;
    checkpoint: Checkpoint;
    /** Events gathered before they are written. */
    flushEventsMax: number;
  }) {
    this.#client = options.client;
    this.#schema = options.schema;
    this.#readModel = options.readModel;
    this.#cache = options.cache;
    this.#flushEventsMax = options.flushEventsMax;
    this.#written = options.checkpoint;
    this.position = options.checkpoint.position;
    this.#unit = new UnitOfWork(this.#cache);
  }

  /** Applies a page of events. @throws PoisonEventError, database errors (also those of an earlier write) */
  async write(page: readonly RecordedEvent[]): Promise<void> {
    await this.#apply(page);
    if (this.#unwrittenEvents < this.#flushEventsMax) return;
    const writes = this.#takeWrites();
    await this.#writing;
    this.#writing = this.#send(transact, writes);
    // The next `write` or `settle` sees it; nobody may be waiting yet.
    this.#writing.catch(() => undefined);
  }

  /** Resolves when everything applied is committed. */
  async settle(): Promise<void> {
    await this.#writing;
    if (this.#unwrittenEvents === 0) return;
    await this.#send(transact, this.#takeWrites());
  }

  /** Applies and sends a page inside a transaction that the caller has begun, after `settle`, and will commit. */
  async writeWithin(page: readonly RecordedEvent[]): Promise<void> {
    await this.#apply(page);
    await this.#send(sendTogether, this.#takeWrites());
  }

  async #apply(page: readonly RecordedEvent[]): Promise<void> {
    const last = page.at(-1);
    if (last === undefined) return;
    const { projections } = this.#readModel;
    const events = decodeEvents(this.#readModel, page);
    await this.#unit.load(() => this.#whenWritten(), events, projections);
    this.#unit.apply(events, projections);
    this.#unwrittenEvents += page.length;
    this.position = last.position;
  }

  async #whenWritten(): Promise<ClientBase> {
    await this.#writing;
    return this.#client;
  }

  /** What has been applied since the last time, as statements that come after all those taken before. */
  #takeWrites(): QueryConfig[] {
    if (this.position === null) return [];
    const writes = [
      advanceCheckpoint(this.#schema, this.#written, this.position),
      ...prepareWrites(this.#unit.changes),
    ];
    this.#unit.keepInCache();
    this.#unit = new UnitOfWork(this.#cache);
    this.#unwrittenEvents = 0;
    this.#written = { ...this.#written, position: this.position };
    return writes;
  }

  async #send(send: typeof transact, writes: readonly QueryConfig[]): Promise<void> {
    try {
      await send(this.#client, writes);
    } catch (error) {
      throw asCheckpointMoved(this.#schema, error);
    }
  }
}
