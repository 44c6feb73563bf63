import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
// As a whole: Node before 22.15, on which the command line runs, too, lacks zstd.
import * as zlib from 'node:zlib';
import type { JsonObject, RecordedEvent } from '@agent-trust/event-log';
import { leafHash, type LogEntry, logEntryOf, sameHash, toHex } from '@agent-trust/transparency-log';
import type { ArchiveRecord } from './archive-records.ts';
import { syncFolder, writeDurably } from './durable-file.ts';
import { archiveLimits } from './limits.ts';
import { unpackLeaves } from './packed-lists.ts';

/** An event of a segment with its place in the log's tree, and the hash of its leaf, computed from the event and not taken from elsewhere. */
export type SegmentEvent = { event: RecordedEvent; leafIndex: number; hash: Uint8Array };

/** Ends the name of a file that is still being written. */
const partialSuffix = '.partial';

/** A segment that cannot be used: it was changed, cut, or is another file. */
export class SegmentError extends Error {
  constructor(path: string, fault: string, options?: ErrorOptions) {
    super(`${path} is not the segment that was archived: ${fault}`, options);
    this.name = 'SegmentError';
  }
}

export function segmentPath(folder: string, segment: string): string {
  return join(folder, `${segment}.jsonl.zst`);
}

export function segmentNameOf(first: bigint, last: bigint): string {
  return `exchanges-${first}-${last}`;
}

/**
 * Writes a segment: one line an event, as an export of the log has it, compressed with zstd, and a last line with their number. The
 * file has its name only when its content is on the disk.
 */
export async function writeSegment(
  path: string,
  events: readonly SegmentEvent[],
): Promise<{ fileSha256: string; fileBytes: number }> {
  const lines = events.map(({ event, leafIndex, hash }) =>
    JSON.stringify({ ...logEntryOf(event), leaf_index: String(leafIndex), leaf_hash: toHex(hash) }),
  );
  const last = String(events.at(-1)?.event.position ?? '');
  lines.push(JSON.stringify({ end_of_export: { events: events.length, up_to_position: last } }), '');
  const bytes = await promisify(zlib.zstdCompress)(lines.join('\n'));
  // Two runs write two files, so that neither damages what the other has on the disk.
  const partial = `${path}.${randomUUID()}${partialSuffix}`;
  try {
    await writeDurably(partial, bytes);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
  return { fileSha256: sha256(bytes), fileBytes: bytes.length };
}

/** Removes what runs that were killed left in a folder of segments. Only for a run that knows itself to be the only one. */
export async function removePartialSegments(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('exchanges-') && name.endsWith(partialSuffix)) await rm(join(folder, name));
}

/** What is expected of a segment: that of its record in the log. */
export type ExpectedSegment = { fileSha256: string; eventCount: number };

/**
 * Reads a segment from the disk and checks it: the file by its hash, each event by the hash of its leaf.
 *
 * @throws SegmentError if it is not the segment that its record names; NodeJS.ErrnoException if there is no such file
 */
export async function readSegment(path: string, expected: ExpectedSegment): Promise<SegmentEvent[]> {
  const bytes = await readFile(path);
  const found = sha256(bytes);
  if (found !== expected.fileSha256)
    throw new SegmentError(path, `its SHA-256 is ${found}, and its record has ${expected.fileSha256}`);
  let text: string;
  try {
    text = (await promisify(zlib.zstdDecompress)(bytes, { maxOutputLength: archiveLimits.segmentBytesMax })).toString();
  } catch (cause) {
    throw new SegmentError(path, 'it cannot be decompressed', { cause });
  }
  const events = text.split('\n').flatMap((line, index) => eventOfLine(path, line, index) ?? []);
  if (events.length !== expected.eventCount)
    throw new SegmentError(path, `it has ${events.length} events, and its record has ${expected.eventCount}`);
  return events;
}

/** The events of a recorded segment from its file, each compared with its leaf in the record. @throws as `readSegment` */
export async function readRecordedSegment(folder: string, record: ArchiveRecord): Promise<SegmentEvent[]> {
  const path = segmentPath(folder, record.segment);
  const events = await readSegment(path, record);
  const leaves = unpackLeaves(record.leaves);
  for (const [index, { event, hash }] of events.entries()) {
    const leaf = leaves[index];
    if (leaf?.position !== event.position || !sameHash(leaf.hash, hash))
      throw new SegmentError(path, `the event at position ${event.position} is not the one of its record in the log`);
  }
  return events;
}

const eventOfLine = (path: string, line: string, index: number): SegmentEvent | null => {
  if (line === '') return null;
  let parsed: LogEntry & { leaf_index: string; leaf_hash: string };
  try {
    parsed = JSON.parse(line) as typeof parsed;
  } catch (cause) {
    throw new SegmentError(path, `line ${index + 1} is not JSON`, { cause });
  }
  if ('end_of_export' in parsed) return null;
  const hash = leafHash(parsed);
  if (toHex(hash) !== parsed.leaf_hash)
    throw new SegmentError(path, `line ${index + 1}, position ${parsed.position}, is not the event of its leaf_hash`);
  return {
    leafIndex: Number(parsed.leaf_index),
    hash,
    event: {
      position: BigInt(parsed.position),
      eventId: parsed.event_id,
      stream: parsed.stream,
      revision: BigInt(parsed.revision),
      type: parsed.type,
      recordedAt: new Date(parsed.recorded_at),
      metadata: parsed.metadata,
      data: parsed.data as JsonObject,
    },
  };
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
