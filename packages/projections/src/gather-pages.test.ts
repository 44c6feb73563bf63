/** Bugs: an event is lost, comes twice or out of order where pages are joined; one that somebody waits for is kept back. */
import type { RecordedEvent } from '@agent-trust/event-log';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatherPages } from './gather-pages.ts';
import { projectionLimits } from './limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { gatherMs } = projectionLimits;
const mayWait = ({ type }: { type: string }): boolean => type === 's';

/** Pages after so many milliseconds each, one letter for each event; the letter `s` may wait. */
async function* pagesAfter(pages: readonly (readonly [number, string])[]): AsyncGenerator<RecordedEvent[]> {
  for (const [ms, types] of pages) {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    yield types.split('').map((type) => ({ type }) as RecordedEvent);
  }
}

/** What comes out, and after how many milliseconds. */
const gathered = async (...pages: readonly (readonly [number, string])[]): Promise<[number, string][]> => {
  const found: [number, string][] = [];
  const from = Date.now();
  const reading = (async () => {
    for await (const page of gatherPages(pagesAfter(pages), mayWait))
      found.push([Date.now() - from, page.map(({ type }) => type).join('')]);
  })();
  await vi.advanceTimersByTimeAsync(10_000);
  await reading;
  return found;
};

it('joins events that may wait with those that come soon', async () => {
  expect(await gathered([0, 's'], [3, 'e'], [100, 'ss'], [3, 's'], [100, 'e'])).toEqual([
    [3, 'se'],
    [106, 'sss'],
    [206, 'e'],
  ]);
});

it('keeps no event back that somebody may wait for, and none for longer than the limit', async () => {
  expect(await gathered([0, 'se'], [1, 'e'], [100, 's'], [gatherMs + 1, 'e'], [0, 's'])).toEqual([
    [0, 'se'],
    [1, 'e'],
    [101 + gatherMs, 's'],
    [102 + gatherMs, 'e'],
    [102 + gatherMs, 's'],
  ]);
});

it('fails as its source does, also while it waits for the next page', async () => {
  async function* failing(): AsyncGenerator<RecordedEvent[]> {
    yield [{ type: 's' } as RecordedEvent];
    throw new Error('broken');
  }
  const reading = Array.fromAsync(gatherPages(failing(), mayWait));
  await expect(reading).rejects.toThrow('broken');
});
