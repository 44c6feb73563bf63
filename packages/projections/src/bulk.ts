import type { RecordedEvent } from '@agent-trust/event-log';
import type { QueryConfig } from 'pg';
import { PoisonEventError } from './each-event.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';

/** Events that are applied together, and the bulk statements of the last one, if it has any. */
export type Chunk<Event> = { recorded: readonly RecordedEvent[]; events: Event[]; bulk: readonly QueryConfig[] };

/**
 * Splits a batch after each event with bulk statements, so that these see the rows of all earlier events and of no later one. Nearly every
 * batch is one chunk.
 *
 * @throws PoisonEventError for an event that breaks its schema, when its chunk is taken
 */
export function* chunksOf<Event extends ProjectedEvent>(
  readModel: ReadModel<Event>,
  recorded: readonly RecordedEvent[],
): Generator<Chunk<Event>> {
  let start = 0;
  while (start < recorded.length) {
    const at = endOfChunk(recorded, start, readModel.bulk?.types ?? []);
    const end = at === -1 ? recorded.length : at + 1;
    const chunk = start === 0 && end === recorded.length ? recorded : recorded.slice(start, end);
    const events = decodeEvents(readModel, chunk);
    const last = at === -1 ? undefined : events.at(-1);
    yield { recorded: chunk, events, bulk: last === undefined ? [] : (readModel.bulk?.statements(last) ?? []) };
    start = end;
  }
}

const endOfChunk = (recorded: readonly RecordedEvent[], start: number, types: readonly string[]): number => {
  if (types.length === 0) return -1;
  for (let index = start; index < recorded.length; index += 1) {
    const type = recorded[index]?.type;
    if (type !== undefined && types.includes(type)) return index;
  }
  return -1;
};

const decodeEvents = <Event extends ProjectedEvent>(
  readModel: ReadModel<Event>,
  recorded: readonly RecordedEvent[],
): Event[] => {
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
};
