import { type AsOf, DomainError } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { findLogMark, findPresent, type LogMark } from '../../projector/read-models/log-clock/queries.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';

/** A moment of the log: the state after every event up to a position, and the time that it was then. */
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

/** The moment that the read model is at; null when it has read nothing. */
export async function presentMoment({ database }: MomentSources): Promise<Moment | null> {
  const present = await findPresent(database);
  return present.position === null || present.time === null ? null : { position: present.position, time: present.time };
}

/** The moment that a request names; null for one before the first event. Throws as `positionAt`. */
export async function momentOf(asked: AsOf, sources: MomentSources): Promise<Moment | null> {
  const position = await positionAt(asked, sources);
  if (position === null) return null;
  if ('time' in asked) return { position, time: new Date(asked.time) };
  const mark = await findLogMark(sources.database, { position });
  if (mark === null) return null;
  return { position, time: (await lastEventWithin(mark, sources, (event) => event.position <= position)).at };
}

/**
 * The position that a request names; null for a time before the first event. Waits until the read model has reached the position.
 *
 * @throws DomainError `validation_failed` for a moment in the future; what `reach` throws
 */
export async function positionAt(asked: AsOf, sources: MomentSources): Promise<bigint | null> {
  return 'position' in asked
    ? knownPosition(BigInt(asked.position), sources)
    : positionOfTime(new Date(asked.time), sources);
}

const knownPosition = async (position: bigint, sources: MomentSources): Promise<bigint> => {
  const current = sources.current();
  if (current === null || current < position) {
    const head = await sources.log.headPosition();
    if (head === null || head < position) {
      throw inTheFuture(`the log has not come to position ${position}: its last event is at ${head ?? 'none'}`);
    }
    await sources.reach(position);
  }
  return position;
};

const positionOfTime = async (time: Date, sources: MomentSources): Promise<bigint | null> => {
  if (time.getTime() > sources.now()) throw inTheFuture(`${time.toISOString()} is in the future`);
  const present = await findPresent(sources.database);
  // The clock of the log never goes back, so a read model that is past the time has all there is of it, also one that is behind or stopped.
  const isPast = present.time !== null && present.time > time;
  const head = isPast ? present.position : await sources.log.headPosition();
  if (head === null) return null;
  if (!isPast) await sources.reach(head);
  const mark = await findLogMark(sources.database, { time });
  const position = mark && (await lastEventWithin(mark, sources, (event) => event.at <= time)).position;
  // Appended since the end of the log was asked for.
  if (position !== null && position > head) await sources.reach(position);
  return position;
};

/** Reads the log on from a mark, to the last event before the first that is not within. */
const lastEventWithin = async (
  mark: LogMark,
  { log }: MomentSources,
  isWithin: (event: LogMark) => boolean,
): Promise<LogMark> => {
  let last = mark;
  for (;;) {
    const page = await log.readAll({ after: last.position, countMax: eventsPerPage });
    for (const event of page) {
      // The clock of the log never goes back, whatever those of its writers did.
      const next = { position: event.position, at: event.recordedAt > last.at ? event.recordedAt : last.at };
      if (!isWithin(next)) return last;
      last = next;
    }
    if (page.length < eventsPerPage) return last;
  }
};

const inTheFuture = (message: string): DomainError =>
  new DomainError('validation_failed', message, {
    items: [{ loc: ['query', 'as_of'], msg: message, type: 'in_the_future' }],
  });
