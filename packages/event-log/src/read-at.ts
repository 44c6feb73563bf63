import { eventLogLimits } from './limits.ts';
import type { RecordedEvent } from './port.ts';

/** The events in the order of the requested positions; positions without an event are skipped. */
export function inOrderOf(positions: readonly bigint[], events: readonly RecordedEvent[]): RecordedEvent[] {
  const found = new Map(events.map((event) => [event.position, event]));
  return positions.flatMap((position) => found.get(position) ?? []);
}

/** Throws a RangeError if one read names too many positions. */
export function checkPositions(positions: readonly bigint[]): void {
  if (positions.length > eventLogLimits.readAtPositionsMax) {
    throw new RangeError(`readAt takes ${eventLogLimits.readAtPositionsMax} positions, not ${positions.length}`);
  }
}
