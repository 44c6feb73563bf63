import type pg from 'pg';
import type { EncodedAppend } from '../encode-append.ts';
import { eventLogLimits } from '../limits.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import { textOnly } from './read.ts';
import { lateAppend, messageOf } from '../adapter.ts';
import {
  EventIdConflictError,
  type EventLogError,
  EventLogSetupError,
  InvalidAppendError,
  WrongExpectedRevisionError,
} from '../errors.ts';
import { failureKind } from './sql-errors.ts';

export type AppendOutcome = {
  outcome: 'appended' | 'repeated' | 'wrong_expected_revision' | 'event_id_conflict';
  revision: bigint;
  position: bigint;
};

/** Runs event_log.append (migrations/0004-append-alone.sql) for a batch of requests to different streams; outcomes in the order of the requests. */
export async function callAppend(
  client: pg.ClientBase,
  batch: readonly (EncodedAppend & { expected: ExpectedRevision })[],
): Promise<AppendOutcome[]> {
  const events = batch.flatMap((request) => request.events);
  const query = {
    name: 'event_log_append',
    text: 'select outcome, last_revision, last_position from event_log.append($1, $2, $3, $4, $5, $6::text[]::json[], $7::text[]::json[])',
    values: [
      batch.map((request) => request.stream),
      batch.map(({ expected }) => (typeof expected === 'bigint' ? String(expected) : expectedNumbers[expected])),
      batch.map((request) => request.events.length),
      events.map((event) => event.eventId),
      events.map((event) => event.type),
      events.map((event) => event.data),
      events.map((event) => event.metadata),
    ],
    rowMode: 'array' as const,
    types: textOnly,
    query_timeout: eventLogLimits.appendAttemptTimeoutMs,
  };
  const { rows } = await client.query<[AppendOutcome['outcome'], string, string | null]>(query);
  return rows.map(([outcome, revision, position]) => ({
    outcome,
    revision: BigInt(revision),
    position: BigInt(position ?? -1),
  }));
}

/** The numbers of migrations/0002-append.sql for expectations without a revision. */
const expectedNumbers = { no_stream: '-1', any: '-2', stream_exists: '-4' };

/** An append in the queue, with its caller's promise. Settled once; later outcomes are ignored. */
export type AppendRequest = EncodedAppend & {
  expected: ExpectedRevision;
  /** Sent at least once without an answer: it may be in the log. */
  outcomeUnknown: boolean;
  settled: boolean;
  lastFailure: unknown;
  timer: NodeJS.Timeout;
  resolve(result: AppendResult): void;
  reject(error: EventLogError): void;
};

const settle = (request: AppendRequest, outcome: AppendResult | EventLogError): void => {
  if (request.settled) return;
  request.settled = true;
  clearTimeout(request.timer);
  if (outcome instanceof Error) request.reject(outcome);
  else request.resolve(outcome);
};

/** Settles a request with its row of event_log.append. */
export function settleAnswer(request: AppendRequest, answer: AppendOutcome | undefined): void {
  const { stream, expected, events } = request;
  switch (answer?.outcome) {
    case 'appended':
    case 'repeated':
      return settle(request, { revision: answer.revision, position: answer.position });
    case 'wrong_expected_revision': {
      const actual = answer.revision < 0n ? 'no_stream' : answer.revision;
      return settle(request, new WrongExpectedRevisionError(stream, expected, actual));
    }
    case 'event_id_conflict': {
      const eventIds = events.map(({ eventId }) => eventId);
      return settle(request, new EventIdConflictError(stream, eventIds));
    }
    case undefined: {
      const text = 'event_log.append returned fewer rows than requests; does its schema have another version?';
      return settle(request, new EventLogSetupError(text));
    }
  }
}

/** Settles a request whose deadline has passed. */
export function settleLate(request: AppendRequest, deadlineMs: number): void {
  settle(request, lateAppend(request.stream, deadlineMs, request.outcomeUnknown, request.lastFailure));
}

/** Settles a batch whose attempt failed; false if the requests are worth a retry, within their deadlines. */
export function settleFailure(batch: AppendRequest[], error: unknown, progress: 'sent' | 'not sent'): boolean {
  const kind = failureKind(error);
  if (kind === 'setup' || (kind === 'data' && progress === 'sent')) {
    const Refused = kind === 'data' ? InvalidAppendError : EventLogSetupError;
    for (const request of batch) {
      const text = `The append to ${JSON.stringify(request.stream)} was refused by the event log's database: ${messageOf(error)}`;
      settle(request, new Refused(text, { cause: error }));
    }
    return true;
  }
  for (const request of batch) request.lastFailure = error;
  return false;
}
