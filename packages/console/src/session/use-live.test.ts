import type { FollowOptions } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { followUntilStopped, type LiveEvent, type LiveState } from './use-live.ts';

it('goes on after the last event when a stream ends, until it is stopped', async () => {
  const stop = new AbortController();
  const asked: unknown[] = [];
  const streams: LiveEvent[][] = [[event('7'), event('9')], [event('12')]];
  const ops = {
    followEvents: async function* (query: unknown, { onState }: FollowOptions) {
      asked.push(query);
      const [first, ...later] = streams.shift() ?? [];
      if (first === undefined) throw new Error('the stream is refused');
      onState?.('open');
      yield first;
      // As where the client itself opens a broken stream again.
      if (later.length > 0) onState?.('broken');
      yield* later;
    },
  };
  const seen: string[] = [];
  const states: LiveState[] = [];
  await followUntilStopped(
    { ops, org: {} } as never,
    { agent_id: 'a' },
    true,
    stop.signal,
    {
      onEvent: ({ position }) => seen.push(position),
      onState: (state) => {
        states.push(state);
        if (asked.length === 3) stop.abort();
      },
    },
    0,
  );
  expect(seen).toEqual(['7', '9', '12']);
  expect(asked).toEqual([{ agent_id: 'a' }, { agent_id: 'a', after: '9' }, { agent_id: 'a', after: '12' }]);
  expect(states).toEqual(['following', 'waiting', 'waiting', 'following', 'waiting', 'waiting']);
});

const event = (position: string): LiveEvent => ({ position, type: 'ExchangeReviewed' });
