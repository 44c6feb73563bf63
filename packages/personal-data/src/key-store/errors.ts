import pg from 'pg';

/** The keys cannot be reached now: as far as is known, nothing was sealed, opened or destroyed. */
export class KeyStoreUnavailableError extends Error {
  override readonly name = 'KeyStoreUnavailableError';
}

/** SQLSTATE classes with which Postgres says that it cannot serve now: connection lost, resources, shutdown, statement timeout. */
const unavailableSqlState = /^(08|53|57)/;

/** Distinguishes a temporary failure of the store from a defect, such as wrong rights or a missing table. */
export function toKeyStoreError(error: unknown): unknown {
  // All errors that the driver and its pool throw themselves concern connections.
  const isTemporary = !(error instanceof pg.DatabaseError) || unavailableSqlState.test(error.code ?? '');
  return isTemporary
    ? new KeyStoreUnavailableError('the keys of personal data cannot be reached', { cause: error })
    : error;
}
