import { type EventLog, EventLogReplacedError } from '@agent-trust/event-log';
import type { Checkpoint } from './checkpoint.ts';

/**
 * Makes sure that the log is the one of which a read model was computed: it has the same event at the checkpoint. One that was restored from an
 * older copy has none there, or after it has grown again, another one.
 *
 * @throws EventLogReplacedError, and errors of the log
 */
export async function ensureSameLog(
  log: Pick<EventLog, 'readAt'>,
  { position, eventId }: Pick<Checkpoint, 'position' | 'eventId'>,
): Promise<void> {
  if (position === null) return;
  const [event] = await log.readAt([position]);
  if (event === undefined || (eventId !== null && event.eventId !== eventId))
    throw new EventLogReplacedError(position, event !== undefined);
}
