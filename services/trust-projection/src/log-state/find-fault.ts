import type { EventLog } from '@agent-trust/event-log';
import { archivedLeafAt } from '@agent-trust/log-archive';
import type { Anchor, LogAnchors } from './log-anchors.ts';

/** In words that anybody may read. `hasAnother`: another event stands in the place, so that the log may have grown past it. */
export type LogFault = { text: string; hasAnother: boolean };

/**
 * Why the log is not the one from which the read models, the log record and the signed checkpoints were made; null if it
 * is. Only the newest event of each is looked at. It may have been archived: a log that nobody reads is not signed anew for long.
 *
 * @throws errors of the log
 */
export async function findFault(
  log: Pick<EventLog, 'readAt' | 'readStream'>,
  anchors: LogAnchors,
): Promise<LogFault | null> {
  if (anchors.mustBeAccepted)
    return {
      text: 'the event log was replaced, and what was computed from it must be computed anew: npm run log:accept',
      hasAnother: false,
    };
  const expected = [anchors.readModels, anchors.logRecord, anchors.signed].filter((anchor) => anchor !== null);
  const positions = [...new Set(expected.map(({ position }) => position))];
  const events = new Map<bigint, { eventId: string }>(
    (await log.readAt(positions)).map((event) => [event.position, event]),
  );
  for (const position of positions.filter((one) => !events.has(one))) {
    const leaf = await archivedLeafAt(log, position);
    if (leaf !== null) events.set(position, leaf);
  }
  const faultOf = (made: string, anchor: Anchor | null): LogFault | null =>
    anchor === null ? null : anchorFault(made, anchor, events.get(anchor.position));
  return (
    faultOf('the read models were computed', anchors.readModels) ??
    faultOf('the log record was computed', anchors.logRecord) ??
    faultOf('the log was signed', anchors.signed)
  );
}

const anchorFault = (
  made: string,
  { position, eventId }: Anchor,
  found: { eventId: string } | undefined,
): LogFault | null => {
  if (found === undefined)
    return { text: `the event log has no event at position ${position}, up to which ${made}`, hasAnother: false };
  return eventId === null || found.eventId === eventId
    ? null
    : { text: `the event log has another event at position ${position}, up to which ${made}`, hasAnother: true };
};
