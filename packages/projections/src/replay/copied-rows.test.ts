import { describe, expect, it } from 'vitest';
import { defineTable } from '../table.ts';
import { CopiedRows } from './copied-rows.ts';

const things = defineTable({
  name: 'thing',
  columns: { id: 'integer', position: 'bigint?', madeAt: 'timestamptz?', note: 'text?' },
  key: ['id'],
});
const thing = { id: 1, position: null, madeAt: null, note: null };
const bytesOf = (chunks: readonly Buffer[]): Buffer => Buffer.concat(chunks);

describe('copied rows', () => {
  it('are no input of COPY as long as there are none, and are taken once', () => {
    const copied = new CopiedRows(things);
    expect(copied.take()).toEqual([]);
    copied.add(thing);
    expect(copied.take()).not.toEqual([]);
    expect(copied.take()).toEqual([]);
  });

  it('follow each other, whatever was taken before and however long they are', () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({ ...thing, id, note: 'ä'.repeat((id * id) % 70_000) }));
    const each = new CopiedRows(things);
    const [headerBytes, trailerBytes] = [19, 2];
    const single = rows.map((row) => {
      each.add(row);
      return bytesOf(each.take()).subarray(headerBytes, -trailerBytes);
    });
    const all = new CopiedRows(things);
    for (const row of rows) all.add(row);
    const together = bytesOf(all.take());
    expect(together.subarray(headerBytes, -trailerBytes).equals(Buffer.concat(single))).toBe(true);
  });

  it.each([
    ['an integer of 33 bits', { id: 2 ** 31 }],
    ['a fraction', { id: 1.5 }],
    ['no number', { id: Number.NaN }],
    ['a bigint of 65 bits', { position: 2n ** 63n }],
    ['an invalid time', { madeAt: new Date(Number.NaN) }],
  ])('cannot have %s', (_what, change) => {
    const copied = new CopiedRows(things);
    expect(() => copied.add({ ...thing, ...change })).toThrow(RangeError);
  });
});
