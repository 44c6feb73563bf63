import type { RecordedEvent } from '@agent-trust/event-log';
import type { ProjectedEvent, ReadModel } from './projection.ts';
import { PoisonEventError } from './unit-of-work.ts';

/** The events of a batch that a read model knows. @throws PoisonEventError when one breaks its schema */
export function decodeEvents<Event extends ProjectedEvent>(
  readModel: ReadModel<Event>,
  recorded: readonly RecordedEvent[],
): Event[] {
  const events: Event[] = [];
  for (const record of recorded) {
    let event: Event | null;
    try {
      event = readModel.decode(record);
    } catch (cause) {
      throw new PoisonEventError(record, 'decode', cause);
    }
    if (event !== null) events.push(event);
  }
  return events;
}
