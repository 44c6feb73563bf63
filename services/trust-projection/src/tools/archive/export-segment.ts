import type { ExchangesArchived } from '@agent-trust/contracts';
import {
  hashOfPositions,
  packExchanges,
  packLeaves,
  readSegment,
  type SegmentEvent,
  segmentNameOf,
  segmentPath,
  writeSegment,
} from '@agent-trust/log-archive';
import { leafHash, logEntryOf, sameHash } from '@agent-trust/transparency-log';
import type { Selection } from './select-exchanges.ts';
import type { VerifiedLeaves } from './verified-leaves.ts';

/** What the log's record of a segment says. */
export type RecordData = ExchangesArchived['data'];

/**
 * Writes the file of a segment, reads it back, and holds both against the leaves of the log's tree.
 *
 * @throws Error if an event is not the one of its leaf
 */
export async function exportSegment(
  { leaves, folder, now }: { leaves: VerifiedLeaves; folder: string; now: () => Date },
  { exchanges, completeUpTo }: Selection,
): Promise<RecordData> {
  const events = exchanges
    .flatMap(({ start, end }) => [start, end])
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  const positions = events.map(({ position }) => position);
  const [first, last] = [positions[0], positions.at(-1)];
  const [endedFirst, endedLast] = [exchanges[0]?.end, exchanges.at(-1)?.end];
  if (first === undefined || last === undefined || endedFirst === undefined || endedLast === undefined)
    throw new RangeError('a segment without exchanges');
  const found = await leaves.at(positions);
  const withLeaves: SegmentEvent[] = events.map((event, index) => {
    const leaf = found[index];
    const hash = leafHash(logEntryOf(event));
    if (leaf?.position !== event.position || !sameHash(leaf.hash, hash)) {
      throw new Error(
        `the event at position ${event.position} is not the one in the log's tree: nothing more is archived; see npm run log:verify`,
      );
    }
    return { event, leafIndex: leaf.leafIndex, hash };
  });
  const segment = segmentNameOf(first, last);
  const path = segmentPath(folder, segment);
  const file = await writeSegment(path, withLeaves);
  const readBack = await readSegment(path, { fileSha256: file.fileSha256, eventCount: events.length });
  readBack.forEach(({ leafIndex, hash }, index) => {
    const leaf = found[index];
    if (leafIndex !== leaf?.leafIndex || !sameHash(leaf.hash, hash))
      throw new Error(`${path} does not have the event at position ${leaf?.position} as it was written`);
  });
  const agentIds = [
    ...new Set(exchanges.flatMap(({ archived }) => [archived.callerAgentId, archived.receiverAgentId])),
  ];
  return {
    segment,
    ...file,
    eventCount: events.length,
    exchangeCount: exchanges.length,
    firstPosition: String(first),
    lastPosition: String(last),
    completeUpTo: String(completeUpTo),
    endedFrom: endedFirst.recordedAt.toISOString(),
    endedTo: endedLast.recordedAt.toISOString(),
    positionsSha256: hashOfPositions(positions),
    agentIds,
    exchanges: packExchanges(
      exchanges.map(({ archived }) => archived),
      agentIds,
    ),
    leaves: packLeaves(withLeaves.map(({ event: { position, eventId }, hash }) => ({ position, eventId, hash }))),
    archivedAt: now().toISOString(),
  };
}
