import type { RecordedEvent } from '@agent-trust/event-log';
import { expect, it } from 'vitest';
import { lagOf } from './observe-followers.ts';

const now = Date.parse('2026-01-01T00:01:00Z');
const recordedAt = new Date('2026-01-01T00:00:55Z');
const logWith = (...events: Partial<RecordedEvent>[]) => {
  const asked: (bigint | null)[] = [];
  const readAll = ({ after }: { after: bigint | null }): Promise<RecordedEvent[]> => {
    asked.push(after);
    return Promise.resolve(events as RecordedEvent[]);
  };
  return { asked, readAll };
};

it('is behind by the events after the checkpoint, and by the age of the first of them', async () => {
  const log = logWith({ recordedAt });
  expect(await lagOf(log, 7n, 10n, now)).toEqual({ events: 3, seconds: 5 });
  expect(log.asked).toEqual([7n]);
});

it('is behind by everything before the first event was projected', async () => {
  const log = logWith({ recordedAt });
  expect(await lagOf(log, null, 10n, now)).toEqual({ events: 10, seconds: 5 });
});

it('is not behind, and reads nothing, at the end of the log and of an empty one', async () => {
  const log = logWith({ recordedAt });
  for (const [position, head] of [
    [10n, 10n],
    [null, null],
    [11n, 10n],
  ] as const)
    expect(await lagOf(log, position, head, now)).toEqual({ events: 0, seconds: 0 });
  expect(log.asked).toEqual([]);
});

it('shows no negative age where the clock of the log is ahead', async () => {
  expect(await lagOf(logWith({ recordedAt: new Date(now + 1_000) }), 7n, 8n, now)).toEqual({ events: 1, seconds: 0 });
});
