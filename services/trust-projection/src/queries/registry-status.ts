import type { getStatus } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { DeadlineError, withDeadline } from '@agent-trust/limits';
import type { Runner, RunnerStatus } from '@agent-trust/projections';
import type { z } from 'zod';
import type { LogRecord } from '../audit/start-audit.ts';
import type { ReadModelDatabase } from './database.ts';

/** The index over the log is always there where this code runs. */
type Told = z.output<typeof getStatus.output>;
export type RegistryStatus = Told & { logRecord: NonNullable<Told['logRecord']> };

/** Longest time that either store may take to answer before it counts as down. */
const probeTimeoutMs = 1_500;
/** From this distance behind the log on the projection counts as degraded. */
const lagDegradedMin = 1_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

const settled = async <Value>(what: string, work: Promise<Value>): Promise<{ value: Value } | { fault: string }> => {
  try {
    return { value: await withDeadline(work, probeTimeoutMs, () => new DeadlineError(what, probeTimeoutMs)) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
};

/** Asks the database and the event log, and compares where they are. */
export async function registryStatus(parts: {
  database: ReadModelDatabase;
  log: EventLog;
  runner: Runner;
  logRecord: Pick<LogRecord, 'database' | 'runner'>;
}): Promise<RegistryStatus> {
  const [checkpoint, recorded, head] = await Promise.all([
    settled('the database', readPosition(parts.database)),
    settled('the database', readPosition(parts.logRecord.database)),
    settled('the event log', parts.log.headPosition()),
  ]);
  return {
    database: 'value' in checkpoint ? { status: 'ok' } : { status: 'down', detail: checkpoint.fault },
    eventLog: 'value' in head ? { status: 'ok' } : { status: 'down', detail: head.fault },
    projection: followerStatus(parts.runner, checkpoint, head),
    logRecord: followerStatus(parts.logRecord.runner, recorded, head),
  };
}

type Settled = { value: bigint | null } | { fault: string };

/** How a follower of the log is: by what its runner knows, where its rows are, and where the log ends. */
export function followerStatus(
  runner: Pick<Runner, 'status'>,
  checkpoint: Settled,
  head: Settled,
): RegistryStatus['projection'] {
  const position = 'value' in checkpoint ? checkpoint.value : null;
  const headPosition = 'value' in head ? head.value : null;
  const isKnown = 'value' in checkpoint && 'value' in head;
  const lag = isKnown ? Math.max(0, Number((headPosition ?? 0n) - (position ?? 0n))) : null;
  return {
    ...projectionState(runner.status(), position, lag),
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
  // A replay got past it: the runner finds out when it tries again, after a pause that may be long by now.
  const isOver = poison !== null && position !== null && position >= poison.position;
  if (poison !== null && !isOver)
    return { status: 'down', detail: `stopped at position ${poison.position}: ${poison.message}` };
  // A standby knows of no fault of the active instance; that it falls behind shows in the lag.
  if (error !== null && !isOver) return { status: 'degraded', detail: error };
  if (lag === null || lag >= lagDegradedMin) return { status: 'degraded', detail: 'behind the event log' };
  return { status: 'ok' };
};

const readPosition = async (database: ReadModelDatabase): Promise<bigint | null> => {
  const rows = await database.query<{ position: bigint | null }>({
    name: 'checkpoint',
    text: 'SELECT position FROM projection_checkpoint',
    values: [],
  });
  return rows[0]?.position ?? null;
};
