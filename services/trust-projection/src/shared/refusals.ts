import { DomainError, refusalOf } from '@agent-trust/contracts';
import { EventLogError } from '@agent-trust/event-log';
import { TooManyWaitingError } from '@agent-trust/limits';
import type { RefusalFields } from '@agent-trust/nats-rpc';
import pg from 'pg';

/** Classes and codes by which Postgres says that it cannot serve now: connection lost, resources, shutdown, statement time limit. */
const unavailableSqlState = /^(08|53|57)/;
const connectionErrorCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT']);
/** The pool's own errors have no code. */
const poolMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return unavailableSqlState.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return ('code' in error && connectionErrorCodes.has(String(error.code))) || poolMessages.test(error.message);
};

/** A refusal by a rule, or one that the caller may retry later; null for an error that is a defect. */
export function toRefusal(error: unknown): RefusalFields | null {
  if (error instanceof DomainError) return refusalOf(error);
  if (error instanceof TooManyWaitingError) return { code: 'overloaded', detail: error.message };
  if (isDatabaseUnavailable(error)) {
    return { code: 'unavailable', detail: 'The read models cannot be reached; try again later.' };
  }
  if (error instanceof EventLogError && error.retryable) {
    return { code: 'unavailable', detail: 'The event log cannot be reached; try again later.' };
  }
  return null;
}
