import type { RecordedEvent } from '@agent-trust/event-log';
import { leafHash, logEntryOf } from '@agent-trust/transparency-log';
import { expect, it } from 'vitest';
import { lastAgreed } from './last-agreed.ts';

const eventAt = (position: bigint, branch: string): RecordedEvent => ({
  eventId: `${branch}${position}`,
  type: 'RainFell',
  data: {},
  metadata: {},
  stream: 'weather',
  revision: position - 1n,
  position,
  recordedAt: new Date(0),
});

/** A log whose first `common` events are those that were recorded, and which has grown to `length` since; `gone` left it. */
const logOf = (common: number, length: number, gone: (position: number) => boolean = () => false) => ({
  // Nothing was archived: inspect-archived.integration.test.ts has a log of which most was.
  readStream: () => Promise.resolve([]),
  readAt: (positions: readonly bigint[]) =>
    Promise.resolve(
      positions
        .filter((position) => position <= length && !gone(Number(position)))
        .map((position) => eventAt(position, position <= common ? 'first' : 'second')),
    ),
});
const recorded = (size: number) => {
  let reads = 0;
  const read = (from: number, to: number) => {
    reads += 1;
    return Promise.resolve(
      Array.from({ length: to - from }, (_, index) => {
        const position = BigInt(from + index + 1);
        return { leafIndex: from + index, position, hash: leafHash(logEntryOf(eventAt(position, 'first'))) };
      }),
    );
  };
  return { size, read, reads: () => reads };
};

it.each([
  [1_000, 1_000, 1_000],
  [1_000, 640, 640],
  [1_000, 600, 600],
  [1_000, 1, 1],
  [1_000, 400, 1_000],
  [1_000, 400, 5_000],
  [99, 50, 60],
])('of %i recorded events the log has the first %i, and %i in all', async (size, common, length) => {
  expect((await lastAgreed(logOf(common, length), recorded(size)))?.position).toBe(BigInt(common));
});

it('is none for an empty log, an empty record and a log of other events', async () => {
  expect(await lastAgreed(logOf(0, 0), recorded(500))).toBeNull();
  expect(await lastAgreed(logOf(0, 900), recorded(500))).toBeNull();
  expect(await lastAgreed(logOf(10, 10), recorded(0))).toBeNull();
});

it('is found although old events left the log', async () => {
  const log = logOf(800, 800, (position) => position < 700 && position % 10 !== 0);
  expect((await lastAgreed(log, recorded(1_000)))?.position).toBe(800n);
});

it('takes a handful of reads in a large log', async () => {
  const record = recorded(1_000_000);
  expect((await lastAgreed(logOf(765_432, 800_000), record))?.position).toBe(765_432n);
  expect(record.reads()).toBeLessThan(20);
});
