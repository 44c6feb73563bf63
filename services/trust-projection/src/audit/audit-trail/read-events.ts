import type { EventLog, RecordedEvent } from '@agent-trust/event-log';
import { queryLimits } from '../../shared/limits.ts';
import type { FoundEvent, FoundEvents } from './find-events.ts';

export type ReadEvents<Shown> = Omit<FoundEvents, 'events'> & { events: Shown[] };

/**
 * Reads found events from the log and shows each; cut if the answer grows too large, but never before its first event.
 *
 * @throws Error if the log no longer has an event that was in it: any answer would hide the loss
 */
export async function readFound<Shown>(
  log: EventLog,
  found: FoundEvents,
  show: (event: RecordedEvent, place: FoundEvent) => Shown,
): Promise<ReadEvents<Shown>> {
  const shown: Shown[] = [];
  let bytes = 0;
  for (let from = 0; from < found.events.length; from += queryLimits.auditReadEvents) {
    const places = found.events.slice(from, from + queryLimits.auditReadEvents);
    const events = await log.readAt(places.map(({ position }) => position));
    for (const [index, place] of places.entries()) {
      const event = events[index];
      if (event?.position !== place.position) {
        throw new Error(`the event log has no event at position ${place.position} any more`);
      }
      const one = show(event, place);
      shown.push(one);
      bytes += JSON.stringify(one).length;
      if (bytes >= queryLimits.auditAnswerBytesMax) {
        const isLast = shown.length === found.events.length;
        return isLast ? { ...found, events: shown } : { ...found, events: shown, seenTo: place.position, isCut: true };
      }
    }
  }
  return { ...found, events: shown };
}
