import { eventLogLimits } from './limits.ts';
import type { RecordedEvent } from './port.ts';

/** The events in the order in which their positions were asked for; positions without one are passed over. */
export function inOrderOf(positions: readonly bigint[], events: readonly RecordedEvent[]): RecordedEvent[] {
  const found = new Map(events.map((event) => [event.position, event]));
  return positions.flatMap((position) => found.get(position) ?? []);
}

/** Throws a RangeError where more positions are named than one read may. */
export function checkPositions(positions: readonly bigint[]): void {
  if (positions.length > eventLogLimits.readAtPositionsMax) {
    throw new RangeError(`readAt takes ${eventLogLimits.readAtPositionsMax} positions, not ${positions.length}`);
  }
}
