import type { getStatus } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { DeadlineError, withDeadline } from '@agent-trust/limits';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { RunnerStatus } from '@agent-trust/projections';
import { type HealthPart, type HealthReport, healthReport } from '@agent-trust/service-kit';
import sql from 'sql-template-tag';
import type { z } from 'zod';
import type { ReadModelDatabase } from './shared/database.ts';
import type { LogFollower } from './shared/log-follower.ts';

type Output = z.output<typeof getStatus.output>;
/** With the log record, which this service always has. */
export type RegistryStatus = Output & { logRecord: NonNullable<Output['logRecord']> };

type Follower = Pick<LogFollower, 'status'> & { database: ReadModelDatabase };
export type StatusParts = {
  rpc: Rpc;
  log: Pick<EventLog, 'headPosition'>;
  readModels: Follower;
  logRecord: Follower;
  /** Why the log is not the one of the read models. */
  logFault: () => string | null;
  /** What is wrong with the log as far as signing is concerned. */
  signingFault: () => string | null;
};

/** Longest time that either store may take to answer before it counts as down. */
const probeTimeoutMs = 1_500;
/** From this distance behind the log on the projection counts as degraded. */
const lagDegradedMin = 1_000;

/** The state of the read models and of what they depend on, for anybody: errors of databases, which may name hosts and ports, are left out. */
export function statusMethods(parts: StatusParts) {
  // Anybody may ask, as often as they like: questions that come while one is being answered get its answer, so that at most one at a time takes
  // connections to the database from those who read.
  let looking: Promise<RegistryStatus> | null = null;
  const look = (): Promise<RegistryStatus> =>
    (looking ??= registryStatus(parts).finally(() => {
      looking = null;
    }));
  return {
    getStatus: async (): Promise<Output> => {
      const { database, eventLog, projection, logRecord } = await look();
      return {
        database: forAnybody(database),
        eventLog: parts.logFault() === null ? forAnybody(eventLog) : eventLog,
        projection: forAnybody(projection),
        logRecord: forAnybody(logRecord),
      };
    },
  };
}

const publicDetails = { down: 'does not answer', degraded: 'is behind the event log' };

/** A part without the words of an error. That an event stops a read model is told without its error. */
const forAnybody = <Part extends { status: HealthPart['status']; detail?: string | undefined }>(part: Part): Part => {
  if (part.status === 'ok' || part.detail === undefined) return part;
  const [stopped] = /^stopped at position \d+/u.exec(part.detail) ?? [];
  return { ...part, detail: stopped ?? publicDetails[part.status] };
};

/** The same with all details, as the report of a health probe. */
export async function healthOf(parts: StatusParts): Promise<HealthReport> {
  const { database, eventLog, projection, logRecord } = await registryStatus(parts);
  const [fault, logFault] = [parts.signingFault(), parts.logFault()];
  return healthReport({
    message_bus: { status: parts.rpc.status().connected ? 'ok' : 'down' },
    database: healthPart(database),
    event_log: healthPart(eventLog),
    log_state: logFault === null ? { status: 'ok' } : { status: 'down', detail: logFault },
    projection: followerPart(projection),
    log_record: followerPart(logRecord),
    // Reading goes on while nothing is signed; an operator has to look into the fault.
    log_signing: fault === null ? { status: 'ok' } : { status: 'degraded', detail: fault },
  });
}

const healthPart = ({ status, detail }: { status: HealthPart['status']; detail?: string | undefined }): HealthPart =>
  detail === undefined ? { status } : { status, detail };

const followerPart = (of: RegistryStatus['projection']): HealthPart => ({
  ...healthPart(of),
  position: of.position,
  head_position: of.headPosition,
  lag: of.lag,
});

const registryStatus = async (parts: StatusParts): Promise<RegistryStatus> => {
  const { log, readModels, logRecord, logFault } = parts;
  const [checkpoint, recorded, head] = await Promise.all([
    settled('the database', readPosition(readModels.database)),
    settled('the database', readPosition(logRecord.database)),
    settled('the event log', log.headPosition()),
  ]);
  return {
    database: 'value' in checkpoint ? { status: 'ok' } : { status: 'down', detail: checkpoint.fault },
    eventLog: eventLogStatus(head, logFault()),
    projection: followerStatus(readModels, checkpoint, head),
    logRecord: followerStatus(logRecord, recorded, head),
  };
};

/** A log that answers and is another one than that of the read models is down: what is written there would never be seen. */
const eventLogStatus = (head: Settled, fault: string | null): RegistryStatus['eventLog'] => {
  if (!('value' in head)) return { status: 'down', detail: head.fault };
  return fault === null ? { status: 'ok' } : { status: 'down', detail: fault };
};

type Settled = { value: bigint | null } | { fault: string };

const settled = async (what: string, work: Promise<bigint | null>): Promise<Settled> => {
  try {
    return { value: await withDeadline(work, probeTimeoutMs, () => new DeadlineError(what, probeTimeoutMs)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message || error.name : String(error) };
  }
};

/** The status of a follower of the log, by its runner, the position of its rows and the end of the log. */
export function followerStatus(
  follower: Pick<LogFollower, 'status'>,
  checkpoint: Settled,
  head: Settled,
): RegistryStatus['projection'] {
  const position = 'value' in checkpoint ? checkpoint.value : null;
  const headPosition = 'value' in head ? head.value : null;
  const isKnown = 'value' in checkpoint && 'value' in head;
  const lag = isKnown ? Math.max(0, Number((headPosition ?? 0n) - (position ?? 0n))) : null;
  return {
    ...projectionState(follower.status(), position, lag),
    position: position === null ? null : String(position),
    headPosition: headPosition === null ? null : String(headPosition),
    lag,
  };
}

const projectionState = (
  { poison, error }: RunnerStatus,
  position: bigint | null,
  lag: number | null,
): Pick<RegistryStatus['projection'], 'status' | 'detail'> => {
  // A replay got past the event: the runner notices when it tries again, after a pause that may be long by now.
  const isOver = poison !== null && position !== null && position >= poison.position;
  if (poison !== null && !isOver)
    return { status: 'down', detail: `stopped at position ${poison.position}: ${poison.message}` };
  // A standby knows of no fault of the active instance; the lag shows that it falls behind.
  if (error !== null && !isOver) return { status: 'degraded', detail: error };
  if (lag === null || lag >= lagDegradedMin) return { status: 'degraded', detail: 'behind the event log' };
  return { status: 'ok' };
};

/** The position of a read model. */
export async function readPosition(database: Pick<ReadModelDatabase, 'query'>): Promise<bigint | null> {
  const [row] = await database.query<{ position: bigint | null }>(sql`SELECT position FROM projection_checkpoint`);
  return row?.position ?? null;
}
