import { type EventLog, EventLogUnavailableError } from '@agent-trust/event-log';
import type { LogWatch } from './follow-log-state.ts';
import { LogRolledBackError } from './log-rolled-back.ts';

type Known = { position: bigint; eventId: string };

/**
 * The log for a service that writes: appends are refused while the log is not the one of the read models, such as an older copy that was
 * restored beside them. What was written there would be answered as if it were visible, and would never be.
 *
 * The log may be replaced between two answers of trust-projection. An append that comes before an event which this process wrote earlier shows
 * that; it is refused, although it stands in the log that was restored.
 *
 * @throws LogRolledBackError, and EventLogUnavailableError if nobody has said yet whether the log is the right one; by `append`, as the log's own
 */
export function guardLog(log: EventLog, watch: LogWatch): EventLog {
  let newest: Known | null = null;
  const ensureSound = async (): Promise<void> => {
    const state = await watch.whenKnown();
    if (state === null)
      throw new EventLogUnavailableError('trust-projection has not answered since this service started.');
    if (state.fault !== null) throw new LogRolledBackError(state.fault);
  };
  /** Another append may have been given a lower position because it was repeated after a timeout; so the log itself is asked. */
  const ensureStillThere = async ({ position, eventId }: Known): Promise<void> => {
    const [event] = await log.readAt([position]);
    if (event?.eventId === eventId) return;
    const fault = `the event log no longer has the event at position ${position}`;
    watch.replaced(fault);
    throw new LogRolledBackError(fault);
  };
  return {
    ...log,
    append: async (stream, events, options) => {
      const sound = watch.state();
      if (sound === null || sound.fault !== null) await ensureSound();
      const before = newest;
      const result = await log.append(stream, events, options);
      if (before !== null && result.position <= before.position) await ensureStillThere(before);
      const last = events.at(-1);
      if (last !== undefined && (newest === null || result.position > newest.position))
        newest = { position: result.position, eventId: last.eventId };
      return result;
    },
  };
}
