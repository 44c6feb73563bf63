import { expect, it } from 'vitest';
import { replicaLimits } from '../limits.ts';
import { createWriters } from './writers.ts';

const watermark = (position: bigint, epoch = 1) => ({ kind: 'watermark', epoch, position }) as const;
const heartbeat = (position: bigint, epoch = 1) =>
  ({ kind: 'heartbeat', scope: 'rare', epoch, seq: 0, watermark: position }) as const;
const isPending = Symbol('pending');
const stateOf = (wait: Promise<void>): Promise<unknown> =>
  Promise.race([wait.then(() => 'visible'), new Promise((resolve) => setImmediate(resolve, isPending))]);

it('are released by a watermark at their position or above, and not below', async () => {
  const writers = createWriters();
  const wait = writers.untilVisible(5n, 10_000);
  writers.takeFeed(watermark(4n));
  expect(await stateOf(wait)).toBe(isPending);
  writers.takeFeed(watermark(6n));
  expect(await stateOf(wait)).toBe('visible');
  expect(await stateOf(writers.untilVisible(6n, 10_000))).toBe('visible');
  writers.close();
});

it('are released by a heartbeat where the watermark was lost, and by no other message', async () => {
  const writers = createWriters();
  const wait = writers.untilVisible(5n, 10_000);
  const change = {
    kind: 'change',
    scope: 'rare',
    epoch: 1,
    seq: 1,
    position: 5n,
    keys: ['a'],

    everything: false,
  } as const;
  writers.takeFeed({ ...change, isLast: true });
  writers.takeFeed({ kind: 'leave', epoch: 1 });
  expect(await stateOf(wait)).toBe(isPending);
  writers.takeFeed(heartbeat(5n));
  expect(await stateOf(wait)).toBe('visible');
  writers.close();
});

it('are released by any leader: what an earlier one made visible stays visible, and its successor begins there', async () => {
  const writers = createWriters();
  writers.takeFeed(heartbeat(3n, 2));
  const [early, late] = [writers.untilVisible(5n, 10_000), writers.untilVisible(6n, 10_000)];
  writers.takeFeed(watermark(5n, 1));
  expect([await stateOf(early), await stateOf(late)]).toEqual(['visible', isPending]);
  // A message of the successor that was sent before takes nothing back.
  writers.takeFeed(heartbeat(3n, 2));
  expect(await stateOf(writers.untilVisible(5n, 10_000))).toBe('visible');
  writers.takeFeed(heartbeat(6n, 2));
  expect(await stateOf(late)).toBe('visible');
  writers.close();
});

it('fail when their time is up, when too many wait and when the process ends', async () => {
  const writers = createWriters();
  await expect(writers.untilVisible(1n, 5)).rejects.toMatchObject({ reason: 'timeout' });
  const waits = Array.from({ length: replicaLimits.waitingWritersMax }, () =>
    writers.untilVisible(1n, 10_000).catch((error: unknown) => error),
  );
  await expect(writers.untilVisible(1n, 10_000)).rejects.toMatchObject({ reason: 'too_many_waiting' });
  writers.close();
  expect(await waits[0]).toMatchObject({ reason: 'closed' });
  expect(await waits.at(-1)).toMatchObject({ reason: 'closed' });
  await expect(writers.untilVisible(1n, 10_000)).rejects.toMatchObject({ reason: 'closed' });
});
