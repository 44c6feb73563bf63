import { expect, it } from 'vitest';
import { replicaLimits } from './limits.ts';
import { Watermark } from './watermark.ts';

it('releases a writer when its position is visible (rule 1)', () => {
  const watermark = new Watermark<string>();
  expect([watermark.wait('five', 5n), watermark.wait('six', 6n)]).toEqual(['waiting', 'waiting']);
  expect(watermark.published(4n)).toEqual([]);
  expect(watermark.published(5n)).toEqual(['five']);
  expect([watermark.published(3n), watermark.wait('late', 5n)]).toEqual([[], 'visible']);
  watermark.giveUp('six');
  expect(watermark.published(6n)).toEqual([]);
});

it('refuses more writers than it may hold', () => {
  const watermark = new Watermark<number>();
  for (let writer = 0; writer < replicaLimits.waitingWritersMax; writer += 1) watermark.wait(writer, 1n);
  expect(watermark.wait(-1, 1n)).toBe('full');
});
