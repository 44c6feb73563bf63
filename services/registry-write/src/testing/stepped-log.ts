import { type EventLog, type RecordedEvent, WrongExpectedRevisionError } from '@agent-trust/event-log';

/** A log in which a test controls every single step: each read and append waits for `step` and then happens at once. */
export type SteppedLog = {
  /** The log as one process sees it. */
  through: (step: () => Promise<void>) => Pick<EventLog, 'append' | 'readStream'>;
  readonly recorded: readonly RecordedEvent[];
  /** Runs after each append, with all events of the log. */
  onAppended: (check: () => void) => void;
};

/** In memory, because an order of steps is reproducible only if nothing else takes time. */
export function steppedLog(): SteppedLog {
  const recorded: RecordedEvent[] = [];
  let check: () => void = () => undefined;
  const eventsOf = (stream: string): RecordedEvent[] => recorded.filter((event) => event.stream === stream);

  const append: EventLog['append'] = (stream, events, { expectedRevision }) => {
    const last = eventsOf(stream).at(-1)?.revision ?? 'no_stream';
    if (expectedRevision !== 'any' && expectedRevision !== last) {
      return Promise.reject(new WrongExpectedRevisionError(stream, expectedRevision, last));
    }
    const from = last === 'no_stream' ? 0n : last + 1n;
    for (const [index, event] of events.entries()) {
      const revision = from + BigInt(index);
      recorded.push({ ...event, stream, revision, position: BigInt(recorded.length), recordedAt: new Date(0) });
    }
    check();
    return Promise.resolve({ revision: from + BigInt(events.length - 1), position: BigInt(recorded.length - 1) });
  };

  return {
    recorded,
    onAppended: (called) => {
      check = called;
    },
    through: (step) => ({
      readStream: async (stream) => {
        await step();
        return eventsOf(stream);
      },
      append: async (...args) => {
        await step();
        return append(...args);
      },
    }),
  };
}
