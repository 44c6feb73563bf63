import { type AsOf, DomainError } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { findLogMark, findPastKnownFrom, findPresent, type LogMark } from '../../read-models/log-clock/queries.ts';
import type { ReadModelDatabase } from '../database.ts';

/** A moment of the log: the state after every event up to a position. */
export type Moment = { position: bigint; time: Date };

/** What asking for a moment needs: where the read model is, the log that it follows, and a way to wait for one by the other. */
export type MomentSources = {
  database: ReadModelDatabase;
  log: Pick<EventLog, 'readAll' | 'headPosition'>;
  /** Where the read model was when last heard of. */
  current: () => bigint | null;
  reach: (position: bigint) => Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
};

/** Events of the log that are read at a time between two marks of its clock; there are hardly more. */
const eventsPerPage = 256;

/** The moment that the read model is at; null when it has read nothing. @throws DomainError `past_unknown` */
export const presentMoment = async ({ database }: MomentSources): Promise<Moment | null> => {
  const present = await findPresent(database);
  if (present.position === null) return null;
  if (present.time === null) throw pastUnknown();
  return { position: present.position, time: present.time };
};

/**
 * The moment that a request names; null for one before the first event. The answer is of a read model that has come so far: one that
 * follows the log is waited for.
 *
 * @throws DomainError `validation_failed` for a moment in the future, `past_unknown` for one that the read model does not reach back to;
 * what `reach` throws
 */
export const momentOf = async (asked: AsOf, sources: MomentSources): Promise<Moment | null> =>
  'position' in asked ? atPosition(BigInt(asked.position), sources) : atTime(new Date(asked.time), sources);

const atPosition = async (position: bigint, sources: MomentSources): Promise<Moment | null> => {
  const current = sources.current();
  if (current === null || current < position) {
    const head = await sources.log.headPosition();
    if (head === null || head < position) {
      throw inTheFuture(`position ${position} is behind the last event of the log, ${head ?? 'which is empty'}`);
    }
    await sources.reach(position);
  }
  await refuseUnknown(sources, position);
  const mark = await findLogMark(sources.database, { position });
  return mark === null ? null : lastEventUntil(mark, sources, (event) => event.position <= position, position);
};

const atTime = async (time: Date, sources: MomentSources): Promise<Moment | null> => {
  if (time.getTime() > sources.now()) throw inTheFuture(`${time.toISOString()} is in the future`);
  const head = await sources.log.headPosition();
  if (head === null) return null;
  await sources.reach(head);
  const mark = await findLogMark(sources.database, { time });
  if (mark === null) {
    await refuseUnknown(sources, -1n);
    return null;
  }
  const moment = await lastEventUntil(mark, sources, (event) => event.at <= time, null);
  await refuseUnknown(sources, moment.position);
  return { position: moment.position, time };
};

/** Reads the log on from a mark. `position` is that of the answer where the last event need not be at it. */
const lastEventUntil = async (
  mark: LogMark,
  { log }: MomentSources,
  isWithin: (event: LogMark) => boolean,
  position: bigint | null,
): Promise<Moment> => {
  let last = mark;
  for (;;) {
    const page = await log.readAll({ after: last.position, countMax: eventsPerPage });
    for (const event of page) {
      // The clock of the log never goes back, whatever those of its writers did.
      const next = { position: event.position, at: event.recordedAt > last.at ? event.recordedAt : last.at };
      if (!isWithin(next)) return { position: position ?? last.position, time: last.at };
      last = next;
    }
    if (page.length < eventsPerPage) return { position: position ?? last.position, time: last.at };
  }
};

const refuseUnknown = async ({ database }: MomentSources, position: bigint): Promise<void> => {
  const from = await findPastKnownFrom(database);
  if (from !== null && position < from) throw pastUnknown();
};

/** What happened before the read model kept its past. The log has it: a replay makes a read model that knows. */
export const pastUnknown = (): DomainError =>
  new DomainError(
    'past_unknown',
    'The read model does not reach back so far; it will once it is rebuilt from the log (pnpm replay).',
  );

const inTheFuture = (message: string): DomainError =>
  new DomainError('validation_failed', message, {
    items: [{ loc: ['query', 'as_of'], msg: message, type: 'in_the_future' }],
  });
