import type { RecordedEvent } from '@agent-trust/event-log';
import type { ClientBase, QueryConfig } from 'pg';
import type { Checkpoint } from './checkpoint.ts';
import type { ReadModelSchema } from './schema.ts';
import type { AnyTable, KeyPart, Table } from './table.ts';

/** An event whose type and data are those of the current schema version. */
export type ProjectedEvent = Pick<RecordedEvent, 'eventId' | 'stream' | 'revision' | 'position' | 'recordedAt'> & {
  type: string;
};

/** Collects what a batch of events needs to know, so that it is loaded in a few bulk queries. */
export type Wanted = {
  /** The row with this primary key, present or not. */
  row<Row extends object>(table: Table<Row>, ...key: KeyPart[]): void;
  /** The rows of one group whose order column is at most `upTo` (see `Table.range`). */
  range<Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): void;
};

/** The rows as they are after all earlier events. Reading what was not declared wanted throws. */
export type Rows = {
  get<Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined;
  /** The row as it was before the present event, whatever projections earlier in the list have made of it since. */
  getBefore<Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined;
  selectRange<Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): Readonly<Row>[];
  /** Inserts or replaces the row with this key. It need not have been declared wanted. */
  put<Row extends object>(table: Table<Row>, row: NoInfer<Row>): void;
  /** Appends a row to an append-only table. */
  insert<Row extends object>(table: Table<Row>, row: NoInfer<Row>): void;
  delete<Row extends object>(table: Table<Row>, ...key: KeyPart[]): void;
};

/**
 * Turns events into row changes. Pure and synchronous: the same events give the same rows whatever the batches are.
 * Events of other types than it knows are ignored. It owns its tables: no other projection writes them, but those that come
 * after it in the list may read them and see what it made of the same event.
 */
export type Projection<Event extends ProjectedEvent> = {
  name: string;
  /** The `schema.sql` that creates its tables. A change of it makes a new build of the read model. */
  schema: URL;
  /** Raised by hand when the same events come to mean other rows; a new build then replaces the live one. 1 when absent. */
  revision?: number;
  tables: readonly AnyTable[];
  /** Tables of other projections that it wants rows of. Who has all of what a projection reads in memory need not ask it. */
  readsFrom?: readonly AnyTable[];
  reads(event: Event, wanted: Wanted): void;
  /** Second round, for wants that depend on rows of the first: `rows` are those from before the batch. */
  readsThen?(event: Event, rows: Pick<Rows, 'get'>, wanted: Wanted): void;
  apply(event: Event, rows: Rows): void;
};

/** A set of projections that share one checkpoint and one database schema. */
export type ReadModel<Event extends ProjectedEvent> = {
  projections: readonly Projection<Event>[];
  schema: ReadModelSchema;
  /** Tables that a replay does not compare, by their names in SQL. None when absent. */
  notCompared?: readonly string[];
  /**
   * What single events do to so many rows that no projection could ask for them one by one. The statements run in the schema of the read
   * model, in the transaction of their event and after all rows that were changed up to it. They may write append-only tables alone: of
   * others rows are kept in memory, which would not know.
   */
  bulk?: { types: readonly string[]; statements(event: Event): readonly QueryConfig[] };
  /**
   * The read model as one schema is built, where that was fixed when its building began; asked each time that somebody begins to apply
   * events to a schema. Whoever builds from the first event (the checkpoint has no position) fixes it, in tables that no projection writes.
   */
  forSchema?(client: ClientBase, checkpoint: Checkpoint): Promise<ReadModel<Event>>;
  /** Parses and upcasts an event of the log; null when no projection can know its type. Throws on data that breaks its schema. */
  decode(recorded: RecordedEvent): Event | null;
};
