import type { RecordedEvent } from '@agent-trust/event-log';
import type { ClientBase, QueryConfig } from 'pg';
import type { Checkpoint } from './checkpoint.ts';
import type { ReadModelSchema } from './schema.ts';
import type { AnyTable, KeyPart, Table } from './table.ts';

/** An event whose type and data are those of the current schema version. */
export type ProjectedEvent = Pick<RecordedEvent, 'eventId' | 'stream' | 'revision' | 'position' | 'recordedAt'> & {
  type: string;
};

/** Collects the rows that a batch of events needs, so that a few bulk queries load them. */
export type Wanted = {
  /** The row with this primary key, present or not; of an append-only table only one that an earlier batch has inserted. */
  row<Row extends object>(table: Table<Row>, ...key: KeyPart[]): void;
  /** The rows of one group whose order column is at most `upTo` (see `Table.range`); of an append-only table see `ReadModel.afterWrites`. */
  range<Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): void;
};

/** The rows after all earlier events. To read a row that was not declared wanted throws, unless an earlier event left it in memory. */
export type Rows = {
  get<Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined;
  /** The row before the present event, without the changes by projections earlier in the list. */
  getBefore<Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined;
  selectRange<Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): Readonly<Row>[];
  /** Inserts or replaces the row with this key. It need not have been declared wanted. */
  put<Row extends object>(table: Table<Row>, row: NoInfer<Row>): void;
  /** Appends a row to an append-only table. */
  insert<Row extends object>(table: Table<Row>, row: NoInfer<Row>): void;
  delete<Row extends object>(table: Table<Row>, ...key: KeyPart[]): void;
};

/**
 * Turns events into row changes. Pure and synchronous: the same events give the same rows whatever the batches are. Unknown types of events
 * are ignored. No other projection writes its tables; later ones in the list may read them, with its changes by the same event.
 */
export type Projection<Event extends ProjectedEvent> = {
  name: string;
  /** The `schema.sql` of its tables. A change makes a new build of the read model. */
  schema: URL;
  /** To be increased when the same events give other rows: a new build then replaces the live one. Default 1. */
  revision?: number;
  tables: readonly AnyTable[];
  /** Tables of other projections that it wants rows of. */
  readsFrom?: readonly AnyTable[];
  reads(event: Event, wanted: Wanted): void;
  /** Second round, for wants that depend on rows of the first; `rows` are those before the batch. */
  readsThen?(event: Event, rows: Pick<Rows, 'get' | 'selectRange'>, wanted: Wanted): void;
  /**
   * Last round, just before the event is applied, for wants that depend on the rows that the earlier events of the batch leave. What it asks for
   * and is not in memory is loaded, and it is called again: a row that is missing ends the call. It must not change anything.
   */
  readsLast?(event: Event, rows: LastRows): void;
  apply(event: Event, rows: Rows): void;
};

/** The rows after all earlier events, before the present one. To read one that is not in memory asks for it. */
export type LastRows = Pick<Rows, 'get' | 'selectRange'> & Wanted;

/**
 * Work on the rows of a live schema that no event causes. What it has done so far stands in the schema, so that a new build, which is made
 * of events alone, can be brought to the same rows.
 */
export type Upkeep = {
  /** The tables that it writes, besides those that no projection writes. Rows of them leave memory after a step. */
  tables: readonly AnyTable[];
  /**
   * One step of bounded size, which commits by itself. The runner that writes the schema calls it in its session, between two batches.
   *
   * @returns the milliseconds until the next step; null if there is nothing to do in this process
   */
  step: ((client: ClientBase) => Promise<number>) | null;
  /** Does to the rows of a new build, in the client's schema, what was done to those of `live`; in the transaction that compares them. */
  repeat(client: ClientBase, live: string): Promise<void>;
};

/** A set of projections that share one checkpoint and one database schema. */
export type ReadModel<Event extends ProjectedEvent> = {
  projections: readonly Projection<Event>[];
  schema: ReadModelSchema;
  /** Tables that a replay does not compare, by their names in SQL. Default: none. */
  notCompared?: readonly string[];
  /**
   * SQL for events that affect too many rows to load them. The statements run in the schema of the read model, in the transaction of their
   * event, after all row changes up to it. They may write only append-only tables: rows of others may be in memory.
   */
  bulk?: { types: readonly string[]; statements(event: Event): readonly QueryConfig[] };
  /**
   * Names what events have changed that they do not name. It is known only when they are applied, so a gate hears of a batch after that; without it
   * while the batch is being applied, which is sooner.
   */
  changedBeside?(events: readonly Event[]): readonly string[];
  /** Rows that leave the tables by their age, and not by an event. */
  upkeep?: Upkeep;
  /** Types of events that read ranges of append-only tables: all rows of the events before them are in the database by then. */
  afterWrites?: readonly string[];
  /**
   * The variant of the read model that a schema is built with. The build from the first event (the checkpoint has no position) chooses it
   * and records it in tables that no projection writes; every later writer of the schema reads it from there.
   */
  forSchema?(client: ClientBase, checkpoint: Checkpoint): Promise<ReadModel<Event>>;
  /** Parses and upcasts an event of the log; null for a type that no projection knows. Throws on data that breaks its schema. */
  decode(recorded: RecordedEvent): Event | null;
};
