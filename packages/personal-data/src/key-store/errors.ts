import pg from 'pg';

/** The keys cannot be reached now: nothing was sealed, opened or destroyed, as far as is known. */
export class KeyStoreUnavailableError extends Error {
  override readonly name = 'KeyStoreUnavailableError';
}

/** Classes by which Postgres says that it cannot serve now: connection lost, resources, shutdown or time limit of the statement. */
const unavailableSqlState = /^(08|53|57)/;

/** A failure of the store as one that may pass, or as the defect that it is: wrong rights, a missing table. */
export function toKeyStoreError(error: unknown): unknown {
  // What the driver and its pool throw by themselves is all about connections.
  const mayPass = !(error instanceof pg.DatabaseError) || unavailableSqlState.test(error.code ?? '');
  return mayPass
    ? new KeyStoreUnavailableError('the keys of personal data cannot be reached', { cause: error })
    : error;
}
