import type { EventLog, RecordedEvent } from '@agent-trust/event-log';

/**
 * The log's events in pages, the next page being read while the last one is worked on.
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
    // It may fail while nobody waits for it yet; whoever takes it up sees the error.
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
