import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasBit, RowList, wordsFor } from './row-list.ts';

const smallCapacity = 1_024;
/** From so many rows on a list has bits at that capacity, and until so many are left. */
const [manyFrom, fewBelow] = [8, 4];
const newList = (capacity = smallCapacity): { list: RowList; grow: () => void } => {
  const room = { capacity };
  const list = new RowList([(a, b) => b - a], () => room.capacity);
  return { list, grow: () => void (room.capacity *= 2) };
};
const rowsOf = ({ bits }: RowList): number[] =>
  bits === null ? [] : Array.from({ length: bits.length * 32 }, (_, row) => row).filter((row) => hasBit(bits, row));

it('has bits from a number of rows on, and loses them only when much fewer are left', () => {
  const { list } = newList();
  for (let row = 1; row < manyFrom; row += 1) list.insert(row);
  expect(list.bits).toBeNull();
  list.insert(manyFrom);
  expect(rowsOf(list)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (let row = manyFrom; row > fewBelow; row -= 1) list.remove(row);
  expect(rowsOf(list)).toEqual([1, 2, 3, 4]);
  list.remove(fewBelow);
  expect(list.bits).toBeNull();
});

it('gets as many words as a reader needs', () => {
  const { list, grow } = newList();
  for (let row = 0; row < manyFrom; row += 1) list.insert(row);
  expect(list.bitsOf(wordsFor(smallCapacity))).toHaveLength(32);
  grow();
  expect(list.bitsOf(wordsFor(2 * smallCapacity))).toHaveLength(64);
  expect(rowsOf(list)).toHaveLength(manyFrom);
});

it('has the bits of its rows after any changes, also beyond the rows that there were at first', () => {
  const change = fc.record({ row: fc.integer({ min: 0, max: 40 }), grows: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
      const { list, grow } = newList(32);
      let capacity = 32;
      const rows = new Set<number>();
      for (const { row, grows } of changes) {
        if (grows && capacity < 256) {
          grow();
          capacity *= 2;
        }
        if (row >= capacity) continue;
        if (rows.delete(row)) list.remove(row);
        else {
          rows.add(row);
          list.insert(row);
        }
        expect(rowsOf(list)).toEqual(list.bits === null ? [] : [...rows].sort((a, b) => a - b));
      }
    }),
  );
});
