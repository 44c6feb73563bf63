import type { Client } from 'pg';
import type { ProjectedEvent } from './projection.ts';

/**
 * A batch that is about to be committed. `unknown`: it has events of types that the read model ignores. `beside`: what it changes that no event names
 * (`ReadModel.changedBeside`).
 */
export type ComingBatch<Event> = {
  position: bigint;
  events: readonly Event[];
  unknown: boolean;
  beside: readonly string[];
};

/** Who must hear of changes before they are visible. */
export type CommitGate<Event extends ProjectedEvent> = {
  /**
   * Called on the session that holds the runner's lock, which it may use, before anything is written. `position` is that of the rows.
   * @throws LockWantedError if another waits for the lock
   */
  lead(client: Client, position: bigint | null): Promise<LeadingGate<Event>>;
};

/** The gate while the lock is held. */
export type LeadingGate<Event extends ProjectedEvent> = {
  /** Aborts when the lock is to be let go, because another process waits for it. */
  readonly yielding: AbortSignal;
  /** In the order of the log, each event once. */
  announce(batch: ComingBatch<Event>): void;
  /** Resolves when everything up to a position, which was announced, may be committed. Rejects when it never may: another holds the lock, or is to hold it. */
  mayCommit(position: bigint): Promise<void>;
  hasCommitted(position: bigint): void;
  /** Nothing more is committed; who waits to commit is rejected. With `inOrder` the session still holds the lock, and may be used. May come twice. */
  end(inOrder: boolean): Promise<void>;
};

/** Another process waits for the lock of the runner, to change all rows at once. */
export class LockWantedError extends Error {
  constructor(schema: string, options?: ErrorOptions) {
    super(`another process waits for the lock of ${schema}`, options);
    this.name = 'LockWantedError';
  }
}
