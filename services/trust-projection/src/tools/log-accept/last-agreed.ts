import { leafHash, logEntryOf, sameHash } from '@agent-trust/transparency-log';
import { archivedLeavesAt } from '@agent-trust/log-archive';
import type { EventLog } from '@agent-trust/event-log';
import type { FoundLeaf } from '../../audit/start-log-record.ts';

/** Leaves that are compared at a time: as many as one `readAt` takes. */
const leavesAtATime = 100;

/** The leaves `from` to `to` (exclusive) of the log record, in their order. */
export type ReadLeaves = (from: number, to: number) => Promise<FoundLeaf[]>;

/**
 * The last event that the log has as it was recorded: up to it nothing was lost, and behind it the log is another one. Null if there is none.
 * A log that was restored from a copy agrees up to some event and nowhere behind it, so this looks at some hundred events for each doubling
 * of the log. Events that left the log when they were archived agree by the leaves that it keeps of them.
 */
export async function lastAgreed(
  log: Pick<EventLog, 'readAt' | 'readStream'>,
  { size, read }: { size: number; read: ReadLeaves },
): Promise<FoundLeaf | null> {
  const lastIn = async (block: number): Promise<FoundLeaf | null> => {
    const leaves = await read(block * leavesAtATime, Math.min(size, (block + 1) * leavesAtATime));
    const events = new Map(
      (await log.readAt(leaves.map(({ position }) => position))).map((event) => [event.position, event]),
    );
    const missing = leaves.filter(({ position }) => !events.has(position)).map(({ position }) => position);
    const archived = await archivedLeavesAt(log, missing);
    const agrees = ({ position, hash }: FoundLeaf): boolean => {
      const event = events.get(position);
      const found = event === undefined ? archived.get(position)?.hash : leafHash(logEntryOf(event));
      return found !== undefined && sameHash(found, hash);
    };
    return leaves.findLast(agrees) ?? null;
  };
  let [agreed, found]: [number, FoundLeaf | null] = [-1, null];
  for (let differs = Math.ceil(size / leavesAtATime); differs - agreed > 1; ) {
    const middle = Math.floor((agreed + differs) / 2);
    const last = await lastIn(middle);
    if (last === null) differs = middle;
    else [agreed, found] = [middle, last];
  }
  return found;
}
