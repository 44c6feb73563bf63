import { lateAppend, messageOf } from '../adapter.ts';
import type { EncodedAppend } from '../encode-append.ts';
import {
  EventIdConflictError,
  type EventLogError,
  EventLogSetupError,
  InvalidAppendError,
  WrongExpectedRevisionError,
} from '../errors.ts';
import type { AppendResult, ExpectedRevision } from '../port.ts';
import type { AppendOutcome } from './call-append.ts';
import { failureKind } from './sql-errors.ts';

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
  switch (answer?.outcome) {
    case 'appended':
    case 'repeated':
      return settle(request, { revision: answer.revision, position: answer.position });
    case 'wrong_expected_revision':
      return settle(
        request,
        new WrongExpectedRevisionError(
          request.stream,
          request.expected,
          answer.revision < 0n ? 'no_stream' : answer.revision,
        ),
      );
    case 'event_id_conflict':
      return settle(
        request,
        new EventIdConflictError(
          request.stream,
          request.events.map((event) => event.eventId),
        ),
      );
    case undefined:
      return settle(
        request,
        new EventLogSetupError(
          'event_log.append returned fewer rows than requests; does its schema have another version?',
        ),
      );
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
    for (const request of batch) {
      const text = `The append to ${JSON.stringify(request.stream)} was refused by the event log's database: ${messageOf(error)}`;
      settle(
        request,
        kind === 'data'
          ? new InvalidAppendError(text, { cause: error })
          : new EventLogSetupError(text, { cause: error }),
      );
    }
    return true;
  }
  for (const request of batch) request.lastFailure = error;
  return false;
}
