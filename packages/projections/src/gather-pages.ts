import type { RecordedEvent } from '@agent-trust/event-log';
import { withFallback } from '@agent-trust/limits';
import { projectionLimits } from './limits.ts';

/** Whether nobody waits until an event can be read. */
export type MayWait = (event: RecordedEvent) => boolean;

/** Pages of the log in order. One whose events may all wait is joined with the next page if that comes soon. */
export async function* gatherPages(
  pages: AsyncIterable<RecordedEvent[]>,
  mayWait: MayWait = () => false,
): AsyncGenerator<RecordedEvent[]> {
  const iterator = pages[Symbol.asyncIterator]();
  let ahead: Promise<IteratorResult<RecordedEvent[], unknown>> | null = null;
  for (;;) {
    const page: IteratorResult<RecordedEvent[], unknown> = await (ahead ?? iterator.next());
    ahead = null;
    if (page.done === true) return;
    if (!page.value.every(mayWait)) {
      yield page.value;
      continue;
    }
    ahead = iterator.next();
    const next = await withFallback(ahead, projectionLimits.gatherMs, () => null);
    if (next === null || next.done === true) {
      yield page.value;
    } else {
      ahead = null;
      yield [...page.value, ...next.value];
    }
  }
}
