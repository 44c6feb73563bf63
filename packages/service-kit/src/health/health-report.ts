import { DeadlineError, withDeadline } from '@agent-trust/limits';

export type HealthStatus = 'ok' | 'degraded' | 'down';

/** State of one dependency of a service, with figures that help (`lag_events`, `pool_waiting`, …). */
export type HealthPart = {
  status: HealthStatus;
  detail?: string;
  [figure: string]: string | number | boolean | null | undefined;
};

export type HealthReport = { status: HealthStatus; parts: Record<string, HealthPart> };

/** A report of the given parts; its status is the worst of theirs. */
export function healthReport(parts: Record<string, HealthPart>): HealthReport {
  return { status: worstOf(Object.values(parts)), parts };
}

/** The report with its status without some parts, which it still shows. */
export function reportWithout(excluded: readonly string[], report: HealthReport): HealthReport {
  if (excluded.length === 0) return report;
  const counted = Object.entries(report.parts).filter(([name]) => !excluded.includes(name));
  return { ...report, status: worstOf(counted.map(([, part]) => part)) };
}

const worstOf = (parts: readonly HealthPart[]): HealthStatus => {
  const states = parts.map((part) => part.status);
  return states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok';
};

/** Longest wait for the event log before it counts as down; shorter than the wait for the whole report, so that the report names the event log. */
const eventLogProbeMs = 1_500;

/** What the probe needs of the bus, JetStream (if the service uses it) and the event log; the objects of their packages have these shapes. */
export type BusAndLog = {
  bus: { status(): { connected: boolean; runningHandlers: number } };
  jetstream?: { answers(): boolean };
  log: { headPosition(): Promise<bigint | null> };
  /** Whether the log is the one of the read models, as parts of the report. */
  logState?: () => Record<string, HealthPart>;
};

/** State of the dependencies of a service that writes: the message bus and the event log. */
export async function busAndLogHealth({ bus, jetstream, log, logState }: BusAndLog): Promise<HealthReport> {
  const { connected, runningHandlers } = bus.status();
  return healthReport({
    message_bus: { status: connected ? 'ok' : 'down', running_handlers: runningHandlers },
    ...(jetstream === undefined ? {} : { jetstream: { status: jetstream.answers() ? 'ok' : 'down' } }),
    event_log: await eventLogHealth(log),
    ...logState?.(),
  });
}

const eventLogHealth = async (log: BusAndLog['log']): Promise<HealthPart> => {
  try {
    const position = await withDeadline(
      log.headPosition(),
      eventLogProbeMs,
      () => new DeadlineError('reading the event log', eventLogProbeMs),
    );
    return { status: 'ok', head_position: position?.toString() ?? null };
  } catch (error) {
    return { status: 'down', detail: error instanceof Error ? error.message : String(error) };
  }
};
