import type { EventLog, NewEvent, RecordedEvent } from '@agent-trust/event-log';
import { describe, expect, it } from 'vitest';
import type { LogState, LogWatch } from './follow-log-state.ts';
import { guardLog } from './guard-log.ts';

/** A log of one list, and what trust-projection says of it. */
const world = (said: LogState | null = { accepted: 0, fault: null }) => {
  let stored: string[] = [];
  let state = said;
  const log = {
    append: (_: string, events: readonly NewEvent[]) => {
      const known = stored.indexOf(events[0]?.eventId ?? '');
      if (known >= 0) return Promise.resolve({ revision: 0n, position: BigInt(known + 1) });
      stored.push(...events.map(({ eventId }) => eventId));
      return Promise.resolve({ revision: 0n, position: BigInt(stored.length) });
    },
    readAt: ([position = 0n]: readonly bigint[]) => {
      const eventId = stored[Number(position) - 1];
      return Promise.resolve(eventId === undefined ? [] : [{ eventId, position } as RecordedEvent]);
    },
  } as unknown as EventLog;
  const watch: LogWatch = {
    state: () => state,
    whenKnown: () => Promise.resolve(state),
    replaced: (fault) => void (state = { accepted: 0, fault }),
  };
  const guarded = guardLog(log, watch);
  return {
    append: (eventId: string) =>
      guarded.append('weather', [{ eventId, type: 'RainFell', data: {}, metadata: {} }], { expectedRevision: 'any' }),
    /** Restores the copy with the first events, and what was written to it since. */
    restore: (count: number, ...since: string[]) => void (stored = [...stored.slice(0, count), ...since]),
    say: (next: LogState) => void (state = next),
    stored: () => stored,
    state: () => state,
  };
};

describe('appends', () => {
  it('are made while the log is the right one', async () => {
    const { append, stored } = world();
    await append('a');
    expect((await append('b')).position).toBe(2n);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('are refused, and not made, while trust-projection says that it is not', async () => {
    const { append, stored, say } = world({ accepted: 0, fault: 'the event log is older' });
    await expect(append('a')).rejects.toMatchObject({ code: 'log_rolled_back' });
    expect(stored()).toEqual([]);
    say({ accepted: 0, fault: null });
    await append('a');
    expect(stored()).toEqual(['a']);
  });

  it('are refused before trust-projection has said anything', async () => {
    const { append, stored } = world(null);
    await expect(append('a')).rejects.toMatchObject({ code: 'event_log_unavailable' });
    expect(stored()).toEqual([]);
  });

  // Bug: an older copy is restored, and until trust-projection looks again, registrations are answered that nobody will ever see.
  it.each([[[]], [['x']], [['x', 'y']]])(
    'are refused at once when an older copy was restored that has since %j',
    async (since) => {
      const { append, restore, state } = world();
      for (const id of ['a', 'b', 'c', 'd']) await append(id);
      restore(1, ...since);
      await expect(append('e')).rejects.toMatchObject({ code: 'log_rolled_back' });
      expect(state()?.fault).toContain('position 4');
      await expect(append('f')).rejects.toMatchObject({ code: 'log_rolled_back' });
    },
  );

  // Bug: an append that is repeated after a timeout has an earlier position than later ones, and is taken for a replaced log.
  it('that are repeated are no sign of a replaced log', async () => {
    const { append, state } = world();
    await append('a');
    await append('b');
    expect((await append('a')).position).toBe(1n);
    expect(state()?.fault).toBeNull();
  });
});
