import type pg from 'pg';
import type { EncodedAppend } from '../encode-append.ts';
import { eventLogLimits } from '../limits.ts';
import type { ExpectedRevision } from '../port.ts';
import { textOnly } from './rows.ts';

export type AppendOutcome = {
  outcome: 'appended' | 'repeated' | 'wrong_expected_revision' | 'event_id_conflict';
  revision: bigint;
  position: bigint;
};

/** Runs event_log.append (migrations/0002-append.sql) for a batch; outcomes in the order of the requests. */
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
      batch.map((request) => expectedNumber(request.expected)),
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

const expectedNumber = (expected: ExpectedRevision): string => {
  switch (expected) {
    case 'no_stream':
      return '-1';
    case 'any':
      return '-2';
    case 'stream_exists':
      return '-4';
    default:
      return expected.toString();
  }
};
