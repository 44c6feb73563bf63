import type { TrustChange } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { type AskChanges, changesUntil, newerEnd, readChanges, readChangesUntil } from './changes-window.ts';

/** A history of so many changes, and what was asked of it. */
const historyOf = (total: number): { ask: AskChanges; asked: number[] } => {
  const asked: number[] = [];
  return {
    asked,
    ask: async ({ offset, limit }) => {
      asked.push(offset);
      const count = Math.max(0, Math.min(limit, total - offset));
      const history = Array.from(
        { length: count },
        (_, index) => ({ position: String(offset + index) }) as TrustChange,
      );
      return { history, total, next: null };
    },
  };
};
const read = async (total: number, end: number | null, known = 0) => {
  const { ask, asked } = historyOf(total);
  const { changes, from } = await readChanges(ask, end, known);
  return { from, first: changes.at(0)?.position, last: changes.at(-1)?.position, asked };
};

describe('the newest changes', () => {
  it('are all of a short history, by one request', async () => {
    expect(await read(0, null)).toEqual({ from: 0, first: undefined, last: undefined, asked: [0] });
    expect(await read(500, null)).toEqual({ from: 0, first: '0', last: '499', asked: [0] });
  });

  it('are the end of a long history, by one request once its length is known', async () => {
    expect(await read(1_203, null)).toEqual({ from: 703, first: '703', last: '1202', asked: [0, 703] });
    expect(await read(1_203, null, 1_203)).toEqual({ from: 703, first: '703', last: '1202', asked: [703] });
    expect(await read(1_204, null, 1_203)).toEqual({ from: 704, first: '704', last: '1203', asked: [703, 704] });
  });
});

describe('older changes', () => {
  it('go back to the first', async () => {
    expect(await read(1_203, 703)).toEqual({ from: 203, first: '203', last: '702', asked: [203] });
    expect(await read(1_203, 203)).toEqual({ from: 0, first: '0', last: '202', asked: [0] });
  });

  it('are left for newer ones, and at the end for the newest', async () => {
    const { ask } = historyOf(1_203);
    expect(newerEnd(await readChanges(ask, 203, 0))).toBe(703);
    expect(newerEnd(await readChanges(ask, 703, 0))).toBeNull();
  });
});

describe('the changes up to a moment', () => {
  const window = async (total: number, end: number | null) => readChanges(historyOf(total).ask, end, 0);
  const shapeOf = (read: Awaited<ReturnType<typeof window>> | null) =>
    read && { from: read.from, total: read.total, last: read.changes.at(-1)?.position };

  it.each([
    // asOf, total, end of the window, what it comes to
    ['2', 5, null, { from: 0, total: 3, last: '2' }],
    ['9', 5, null, { from: 0, total: 5, last: '4' }],
    ['800', 1_203, null, { from: 703, total: 801, last: '800' }],
    ['1202', 1_203, null, { from: 703, total: 1_203, last: '1202' }],
    ['202', 1_203, 203, null],
    ['702', 1_203, null, null],
  ])('are those of a window, if they end within it: %s of %i', async (asOf, total, end, expected) => {
    expect(shapeOf(changesUntil(asOf, await window(total, end)))).toEqual(expected);
  });

  it('are none before the first', async () => {
    const first = { position: '9' } as TrustChange;
    expect(changesUntil('8', { changes: [first], from: 0, total: 1 })).toEqual({ changes: [], from: 0, total: 0 });
    expect(changesUntil('8', { changes: [first], from: 1, total: 2 })).toBeNull();
  });

  it.each([
    ['702', null, { from: 203, total: 703, last: '702' }],
    ['702', 203, { from: 0, total: 703, last: '202' }],
    ['100', 703, { from: 0, total: 101, last: '100' }],
    ['0', null, { from: 0, total: 1, last: '0' }],
    ['5000', null, { from: 703, total: 1_203, last: '1202' }],
  ])('are read from anywhere in a long history: %s, before %s', async (asOf, end, expected) => {
    const { ask, asked } = historyOf(1_203);
    expect(shapeOf(await readChangesUntil(ask, asOf, end, 1_203))).toEqual(expected);
    expect(asked.length).toBeLessThanOrEqual(12);
  });

  it('are found to be none without a page of them', async () => {
    const ask: AskChanges = async () => ({ history: [{ position: '9' } as TrustChange], total: 3, next: null });
    expect(await readChangesUntil(ask, '8', null, 3)).toEqual({ changes: [], from: 0, total: 0 });
  });
});
