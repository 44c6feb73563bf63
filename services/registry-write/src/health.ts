import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import { type HealthPart, type HealthReport, healthReport, withDeadline } from '@agent-trust/service-kit';

/** Longest wait for the event log before it counts as down. */
const eventLogProbeMs = 2_000;

const eventLogHealth = async (log: EventLog): Promise<HealthPart> => {
  try {
    const position = await withDeadline('reading the event log', eventLogProbeMs, log.headPosition());
    return { status: 'ok', head_position: position?.toString() ?? null };
  } catch (error) {
    return { status: 'down', detail: error instanceof Error ? error.message : String(error) };
  }
};

/** State of what this service needs: the bus and the event log. */
export const healthOf = async (rpc: Pick<Rpc, 'status'>, log: EventLog): Promise<HealthReport> => {
  const { connected, runningHandlers } = rpc.status();
  return healthReport({
    message_bus: { status: connected ? 'ok' : 'down', running_handlers: runningHandlers },
    event_log: await eventLogHealth(log),
  });
};
