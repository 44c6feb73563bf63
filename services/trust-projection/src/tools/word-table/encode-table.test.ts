import { expect, it } from 'vitest';
import { decodeTable, tableShape } from '../../projector/read-models/capability-taxonomy/word-table-format.ts';
import { encodeTable } from './encode-table.ts';

const vector = new Float64Array(tableShape.dimensions);
vector.set([3, -4]);

it('is read as it was written, with vectors of one length', () => {
  const meaning = decodeTable(encodeTable([{ stem: 'loan', vector, domain: -1.25, weight: 1 }])).get('loan');
  expect([...(meaning?.vector ?? [])].slice(0, 3)).toEqual([76, -102, 0]);
  expect(meaning).toMatchObject({ domain: -1.25, weight: 1 });
});

it('is refused if a row is cut off', () => {
  const table = encodeTable([{ stem: 'loan', vector, domain: 9, weight: 0.5 }]);
  expect(() => decodeTable(table.subarray(0, -1))).toThrow('damaged');
});
