import type { EventLog, PackedEvents, RecordedEvent } from '@agent-trust/event-log';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { projectionLimits } from '../limits.ts';

export type ReplayPhase = 'build' | 'compare' | 'switch';

export type ReplayProgress = {
  phase: ReplayPhase;
  events: number;
  /** Events in all: exact where log positions are dense, else estimated from the positions passed. */
  eventsTotal: number;
  /** Part of the log that is done, 0–1. */
  fraction: number;
  eventsPerSecond: number;
  remainingMs: number | null;
};

export type ProgressMeter = {
  phase(phase: ReplayPhase): void;
  add(page: readonly RecordedEvent[]): void;
  end(): { events: number; durationMs: number; eventsPerSecond: number };
};

/** Counts events and time, and calls `onProgress` after every page and at each phase. */
export function progressMeter(
  headPosition: bigint | null,
  onProgress: (progress: ReplayProgress) => void = () => undefined,
): ProgressMeter {
  const startedAt = performance.now();
  let buildMs = 0;
  let pageStartedAt = startedAt;
  let phase: ReplayPhase = 'build';
  let events = 0;
  let first: bigint | null = null;
  let fraction = 0;

  const rate = (): number => (buildMs === 0 ? 0 : (events * 1000) / buildMs);
  const tell = (): void => {
    const eventsTotal = fraction === 0 ? events : Math.max(events, Math.round(events / fraction));
    const remainingMs = rate() === 0 ? null : ((eventsTotal - events) * 1000) / rate();
    onProgress({ phase, events, eventsTotal, fraction, eventsPerSecond: rate(), remainingMs });
  };
  return {
    phase: (next) => {
      const now = performance.now();
      // The writes that are still under way after the last page belong to building.
      if (phase === 'build' && events > 0) buildMs += now - pageStartedAt;
      phase = next;
      pageStartedAt = now;
      tell();
    },
    add: (page) => {
      const now = performance.now();
      buildMs += now - pageStartedAt;
      pageStartedAt = now;
      events += page.length;
      first ??= page[0]?.position ?? null;
      const last = page.at(-1)?.position;
      if (first !== null && last !== undefined && headPosition !== null) {
        const span = Number(headPosition - first) + 1;
        fraction = span <= 0 ? 1 : Math.min(1, (Number(last - first) + 1) / span);
      }
      tell();
    },
    end: () => ({ events, durationMs: performance.now() - startedAt, eventsPerSecond: rate() }),
  };
}

/**
 * The log's events in pages; the next page is read while the consumer handles the last one.
 *
 * @param range.after exclusive; null from the beginning
 * @param range.upTo inclusive; null up to the end of the log
 */
export async function* readPages(
  log: EventLog,
  range: { after: bigint | null; upTo: bigint | null; countMax: number },
): AsyncGenerator<RecordedEvent[]> {
  const { upTo, countMax } = range;
  const read = (after: bigint | null): Promise<RecordedEvent[]> => {
    const page = log.readAll({ after, countMax });
    // It may fail before it is awaited; the consumer gets the error.
    page.catch(() => undefined);
    return page;
  };
  let pending: Promise<RecordedEvent[]> | null = read(range.after);
  while (pending !== null) {
    const page: RecordedEvent[] = await pending;
    const last: RecordedEvent | undefined = page.at(-1);
    if (last === undefined) return;
    pending = page.length < countMax || (upTo !== null && last.position >= upTo) ? null : read(last.position);
    const wanted = upTo !== null && last.position > upTo ? page.filter(({ position }) => position <= upTo) : page;
    if (wanted.length > 0) yield wanted;
  }
}

/**
 * The same in short slices, for a consumer that keeps no event: each slice is valid until the next one is asked for. What is read ahead is packed, so
 * there are few events for V8 to copy when it collects young objects. Connections are served between slices: the database waits while its answers are
 * not read.
 */
export async function* readSlices(
  log: EventLog,
  range: { after: bigint | null; upTo: bigint | null; countMax: number },
): AsyncGenerator<RecordedEvent[]> {
  const { upTo, countMax } = range;
  const read = (after: bigint | null): Promise<PackedEvents> => {
    const page = log.readPacked({ after, countMax });
    // It may fail before it is awaited; the consumer gets the error.
    page.catch(() => undefined);
    return page;
  };
  const slice: RecordedEvent[] = [];
  let pending: Promise<PackedEvents> | null = read(range.after);
  while (pending !== null) {
    const page: PackedEvents = await pending;
    if (page.lastPosition === null) return;
    pending = upTo !== null && page.lastPosition >= upTo ? null : read(page.lastPosition);
    for (const event of page.unpack()) {
      if (upTo !== null && event.position > upTo) break;
      slice.push(event);
      if (slice.length < projectionLimits.replaySliceEventsMax) continue;
      yield slice;
      slice.length = 0;
      await nextTurn();
    }
    if (slice.length > 0) yield slice;
    slice.length = 0;
  }
}
