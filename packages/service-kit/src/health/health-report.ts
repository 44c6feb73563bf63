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
  const states = Object.values(parts).map((part) => part.status);
  return { status: states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok', parts };
}
