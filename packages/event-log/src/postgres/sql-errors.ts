import pg from 'pg';
import { messageOf } from '../adapter.ts';
import { EventLogError, EventLogSetupError, EventLogUnavailableError } from '../errors.ts';

/**
 * The kinds of failures of `pg`, by what they mean for the call.
 *
 * - `setup`: the database is not usable as configured; a retry does not help.
 * - `refused`: the server answered with an error, so the transaction was rolled back; a retry may help.
 * - `data`: the server could not take these values.
 * - `connection`: no answer; the statement may have been committed.
 */
type FailureKind = 'setup' | 'refused' | 'data' | 'connection';

export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return 'connection';
  const { code } = error;
  // The server ends our connection while a commit may be under way: admin shutdown, crash shutdown, terminated by the recovery, database dropped.
  if (code.startsWith('57P') && code !== '57P03') return 'connection';
  if (code.startsWith('08')) return 'connection';
  // 40003: statement completion unknown.
  if (code === '40003') return 'connection';
  if (setupClasses.some((prefix) => code.startsWith(prefix))) return 'setup';
  if (dataClasses.some((prefix) => code.startsWith(prefix))) return 'data';
  return 'refused';
}

/** Missing function or table, no permission, wrong password, unknown database or schema, wrong isolation level. */
const setupClasses = ['42', '28', '3D', '3F', '25000'];
/** Data exceptions, constraint violations, program limits (such as JSON nested too deep). */
const dataClasses = ['22', '23', '54'];

/** The caller's error if `what` (a read, a connection) failed and nothing was written. */
export function readFailure(what: string, cause: unknown): EventLogError {
  if (cause instanceof EventLogError) return cause;
  const kind = failureKind(cause);
  return kind === 'setup' || kind === 'data'
    ? new EventLogSetupError(`${what} was refused by the event log's database: ${messageOf(cause)}`, { cause })
    : new EventLogUnavailableError(`${what} failed: the event log's database is not available (${messageOf(cause)}).`, {
        cause,
      });
}
