export {
  archiveRecords,
  type ArchiveRecord,
  hashOfPositions,
  readSegments,
  recordOf,
  type SegmentState,
} from './archive-records.ts';
export { syncFolder, writeDurably } from './durable-file.ts';
export { archivedLeafAt, archivedLeavesAt, interleaved, LeafReader } from './leaf-reader.ts';
export { archiveLimits } from './limits.ts';
export {
  type ArchivedAnswer,
  type ArchivedExchange,
  type ArchivedLeaf,
  type ExchangeOutcome,
  packExchanges,
  packLeaves,
  unpackExchanges,
  unpackLeaves,
} from './packed-lists.ts';
export { isArchivedLeaf, leafOfArchived, withArchivedLeaves } from './with-archived-leaves.ts';
export {
  readRecordedSegment,
  readSegment,
  removePartialSegments,
  type SegmentEvent,
  SegmentError,
  segmentNameOf,
  segmentPath,
  writeSegment,
} from './segment-file.ts';
