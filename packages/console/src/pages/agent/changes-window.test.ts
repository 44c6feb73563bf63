import type { TrustChange } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { type AskChanges, newerEnd, readChanges } from './changes-window.ts';

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
