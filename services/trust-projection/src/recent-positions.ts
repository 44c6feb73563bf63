import type { RecentPositions } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { atEachStep, RecentValues, stepOf } from '@agent-trust/metrics';
import type { ReadModelDatabase } from './shared/database.ts';
import { readPosition } from './status.ts';

/**
 * Remembers how far the log and the read models were when each of the last steps began. What cannot be asked then is unknown. Returns what it
 * remembers, and how to stop.
 */
export function rememberPositions(
  parts: { log: Pick<EventLog, 'headPosition'>; database: Pick<ReadModelDatabase, 'query'> },
  now: () => number = Date.now,
): {
  look: () => Promise<void>;
  shown: () => RecentPositions;
  stop: () => void;
} {
  const recent = new RecentValues<NonNullable<RecentPositions['values'][number]>>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    // A store that does not answer gets no second question.
    if (isLooking) return;
    isLooking = true;
    try {
      const step = stepOf(now());
      // The checkpoint is read first, so that a lag is never shown too small.
      const position = await readPosition(parts.database);
      const head = await parts.log.headPosition();
      recent.set(step, { position: position?.toString() ?? null, headPosition: head?.toString() ?? null });
    } catch {
      // GET /health says what is down.
    } finally {
      isLooking = false;
    }
  };
  void look();
  return { look, shown: () => recent.shown(now()), stop: atEachStep(() => void look()) };
}
