import type { RecordedEvent } from '@agent-trust/event-log';
import type { QueryConfig } from 'pg';
import { PoisonEventError } from './each-event.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';

/** Events that are applied together, and the bulk statements of the last one, if it has any. */
export type Chunk<Event> = {
  recorded: readonly RecordedEvent[];
  events: Event[];
  bulk: readonly QueryConfig[];
  /** All rows of earlier events must be in the database before the one event of the chunk is applied. */
  afterWrites: boolean;
};

/**
 * Splits a batch after each event with bulk statements, so that these see the rows of all earlier events and of no later one, and around
 * each event that reads what earlier ones have written, which may be much. Nearly every batch is one chunk.
 *
 * @throws PoisonEventError for an event that breaks its schema, when its chunk is taken
 */
export function* chunksOf<Event extends ProjectedEvent>(
  readModel: ReadModel<Event>,
  recorded: readonly RecordedEvent[],
): Generator<Chunk<Event>> {
  let start = 0;
  while (start < recorded.length) {
    const end = endOfChunk(readModel, recorded, start);
    const chunk = start === 0 && end === recorded.length ? recorded : recorded.slice(start, end);
    const events = decodeEvents(readModel, chunk);
    const last = isOf(readModel.bulk?.types, chunk.at(-1)) ? events.at(-1) : undefined;
    yield {
      recorded: chunk,
      events,
      bulk: last === undefined ? [] : (readModel.bulk?.statements(last) ?? []),
      afterWrites: isOf(readModel.afterWrites, chunk[0]),
    };
    start = end;
  }
}

type Types = readonly string[] | undefined;

const isOf = (types: Types, event: Pick<RecordedEvent, 'type'> | undefined): boolean =>
  types !== undefined && event !== undefined && types.includes(event.type);

/** The index after the last event of the chunk that begins at `start`. */
const endOfChunk = (
  { bulk, afterWrites }: Pick<ReadModel<never>, 'bulk' | 'afterWrites'>,
  recorded: readonly RecordedEvent[],
  start: number,
): number => {
  if (isOf(afterWrites, recorded[start])) return start + 1;
  for (let index = start; index < recorded.length; index += 1) {
    if (isOf(afterWrites, recorded[index])) return index;
    if (isOf(bulk?.types, recorded[index])) return index + 1;
  }
  return recorded.length;
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
