import type { KnownStream } from '@agent-trust/event-log';
import { createBoundedMap } from '@agent-trust/limits';
import { writeLimits } from './limits.ts';

/**
 * Streams as the last command here left them, so that the next one does not read a whole stream to append an event. What is decided on them
 * is checked by the expected revision; what is refused on them must be decided on the log.
 */
export type KnownStreams = {
  /** The caller names the kind of state that the stream has. */
  get: <State>(stream: string) => KnownStream<State> | null;
  set: (stream: string, known: KnownStream<unknown>) => void;
};

export function createKnownStreams(): KnownStreams {
  const streams = createBoundedMap<string, KnownStream<unknown>>({
    countMax: writeLimits.knownStreamsMax,
    weight: { max: writeLimits.knownCharsMax, of: ({ state }) => JSON.stringify(state).length },
  });
  return {
    get: <State>(stream: string) => (streams.get(stream) as KnownStream<State> | undefined) ?? null,
    set: (stream, { state, revision, position }) => {
      const before = streams.peek(stream)?.revision ?? 'no_stream';
      // Of two commands at once, the earlier one may answer last.
      if (revision === 'no_stream' || (before !== 'no_stream' && before > revision)) return;
      streams.set(stream, { state, revision, position });
    },
  };
}
