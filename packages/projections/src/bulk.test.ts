import type { RecordedEvent } from '@agent-trust/event-log';
import { describe, expect, it } from 'vitest';
import { chunksOf } from './bulk.ts';
import type { ProjectedEvent, ReadModel } from './projection.ts';
import { PoisonEventError } from './each-event.ts';

const readModel: ReadModel<ProjectedEvent> = {
  projections: [],
  schema: { sql: '', fingerprint: '' },
  bulk: { types: ['All'], statements: (event) => [{ text: `all at ${event.position}` }] },
  decode: (recorded) => {
    if (recorded.type === 'Broken') throw new Error('no such shape');
    return recorded.type === 'Unheard' ? null : recorded;
  },
};
const log = (...types: string[]): RecordedEvent[] =>
  types.map((type, index) => ({
    eventId: `e${index}`,
    type,
    data: {},
    metadata: {},
    stream: 's',
    revision: BigInt(index),
    position: BigInt(index + 1),
    recordedAt: new Date(0),
  }));
const reported = (types: string[], model: ReadModel<ProjectedEvent> = readModel) =>
  [...chunksOf(model, log(...types))].map(({ recorded, events, bulk }) => [
    recorded.map(({ position }) => Number(position)),
    events.map(({ position }) => Number(position)),
    bulk.map(({ text }) => text),
  ]);

describe('the chunks of a batch', () => {
  it('are one chunk if no event has statements', () => {
    expect(reported(['One', 'Unheard', 'One'])).toEqual([[[1, 2, 3], [1, 3], []]]);
    const { bulk: _, ...plain } = readModel;
    expect(reported(['One', 'All', 'One'], plain)).toEqual([[[1, 2, 3], [1, 2, 3], []]]);
    expect(reported([])).toEqual([]);
  });

  it('end with each event that has statements', () => {
    expect(reported(['One', 'All', 'All', 'One'])).toEqual([
      [[1, 2], [1, 2], ['all at 2']],
      [[3], [3], ['all at 3']],
      [[4], [4], []],
    ]);
    expect(reported(['All'])).toEqual([[[1], [1], ['all at 1']]]);
  });

  it('keep each event apart that reads what earlier ones have written', () => {
    const model = { ...readModel, afterWrites: ['Reads'] };
    const chunks = [...chunksOf(model, log('One', 'Reads', 'Reads', 'One', 'All', 'Reads', 'All'))];
    expect(chunks.map(({ recorded, afterWrites, bulk }) => [recorded.length, afterWrites, bulk.length])).toEqual([
      [1, false, 0],
      [1, true, 0],
      [1, true, 0],
      [2, false, 1],
      [1, true, 0],
      [1, false, 1],
    ]);
  });

  it('come one by one: a later fault does not delay earlier chunks', () => {
    const chunks = chunksOf(readModel, log('All', 'Broken'));
    expect(chunks.next().value).toMatchObject({ bulk: [{ text: 'all at 1' }] });
    expect(() => chunks.next()).toThrow(PoisonEventError);
  });
});
