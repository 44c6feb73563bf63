import { createReadStream } from 'node:fs';
import { fromHex, leafHash, type LogEntry, toHex } from '@agent-trust/transparency-log';
import { verifierLimits } from '../limits.ts';
import {
  type Bookmark,
  eventName,
  type LeafFault,
  type LogSource,
  type SourceLeaf,
  unreadableLeaf,
} from './log-source.ts';

const newline = 0x0a;
const chunkBytes = 1024 * 1024;

/** An export of the log, JSON Lines as GET /ops/events writes them, holding one chunk and the longest line in memory. */
export function exportFile(path: string): LogSource {
  let cut: string | null =
    'The export has no last line with "end_of_export": it broke off, or was cut, while it was written.';
  let short: string | null = null;
  let archived = 0;
  const onEnd = (written: number, found: number): void => {
    cut = null;
    if (written !== found) short ??= `The export says that ${written} events were written, and ${found} are there.`;
  };
  return {
    description: `the export ${path}`,
    pages: async function* (from) {
      for await (const leaves of leafPages(path, from, from === undefined ? onEnd : () => undefined)) {
        if (from === undefined)
          archived += leaves.filter(({ entry, fault }) => entry === null && fault === null).length;
        yield leaves;
      }
    },
    remarks: () => [cut, short, archivedRemark(archived)].filter((remark) => remark !== null),
    close: () => Promise.resolve(),
  };
}

const archivedRemark = (count: number): string | null =>
  count === 0
    ? null
    : `${count} event(s) of the export were archived: they were verified by the leaf hashes in the export, not by themselves.`;

/** `onEnd` receives the number of events before a last line, as written there and as counted. Concatenated exports have several. */
async function* leafPages(
  path: string,
  from: Bookmark | undefined,
  onEnd: (written: number, found: number) => void,
): AsyncGenerator<SourceLeaf[]> {
  const start = from?.place ?? 0n;
  let index = from?.index ?? 0;
  let indexWanted = index;
  let endedAt = index;
  let offset = start;
  let last = -1n;
  for await (const lines of linePages(path, start)) {
    const leaves: SourceLeaf[] = [];
    for (const { text, bytes } of lines) {
      const place = offset;
      offset += BigInt(bytes);
      if (text.trim() === '') continue;
      const events = eventsOfEnd(text);
      if (events !== null) {
        onEnd(events, index - endedAt);
        endedAt = index;
        continue;
      }
      const leaf = leafOfLine(text, { index, place }, indexWanted);
      // A gap, or a line too many, is reported once, and not for every line after it.
      if (leaf.fault?.code !== 'event_order') indexWanted += 1 + (leaf.fault?.count ?? 0);
      const position = positionOf(leaf);
      if (leaf.fault === null && position !== null && position <= last)
        leaf.fault = {
          code: 'event_order',
          message: `${lineAt(index)}: ${eventName(leaf.entry)} stands behind position ${last}`,
        };
      last = position ?? last;
      leaves.push(leaf);
      index += 1;
    }
    yield leaves;
  }
}

const positionOf = ({ entry }: SourceLeaf): bigint | null =>
  entry !== null && /^\d{1,20}$/u.test(entry.position) ? BigInt(entry.position) : null;

type Line = { text: string; bytes: number };

async function* linePages(path: string, start: bigint): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  const stream = createReadStream(path, { start: Number(start), highWaterMark: chunkBytes });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: Line[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, begin)) {
      lines.push({ text: bytes.toString('utf8', begin, end), bytes: end + 1 - begin });
      begin = end + 1;
    }
    rest = bytes.subarray(begin);
    if (rest.length > verifierLimits.exportLineBytesMax)
      throw new Error(
        `${path} has a line of more than ${verifierLimits.exportLineBytesMax} bytes: it is no export of a log.`,
      );
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [{ text: rest.toString('utf8'), bytes: rest.length }];
}

const texts = ['position', 'event_id', 'stream', 'revision', 'type', 'recorded_at'] as const;
const objects = ['metadata', 'data'] as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number of events in the last line of a whole export (see docs/audit.md); null for any other line. */
const eventsOfEnd = (text: string): number | null => {
  if (!text.startsWith('{"end_of_export"')) return null;
  try {
    const { end_of_export: end } = JSON.parse(text) as { end_of_export?: { events?: unknown } };
    return typeof end?.events === 'number' ? end.events : null;
  } catch {
    return null;
  }
};

/**
 * One line of an export as the leaf at `bookmark.index`, with the hash of its event.
 * @param indexWanted The leaf_index that follows from the lines before.
 */
const leafOfLine = (text: string, bookmark: Bookmark, indexWanted: number): SourceLeaf => {
  const { index } = bookmark;
  const unreadable = (why: string): SourceLeaf => unreadableLeaf(bookmark, `${lineAt(index)} cannot be read: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadable(`it is not JSON (${error instanceof Error ? error.message : ''})`);
  }
  if (!isObject(value)) return unreadable('it is not an object');
  const missing =
    texts.find((name) => typeof value[name] !== 'string') ?? objects.find((name) => !isObject(value[name]));
  if (missing !== undefined) return unreadable(`it has no ${missing}`);
  if (value['archived'] === true)
    return archivedLeaf(value, bookmark, indexWanted) ?? unreadable('it has no leaf_hash');
  const entry = value as LogEntry;
  const hash = leafHash(entry);
  return { index, entry, hash, fault: faultOf(value, entry, hash, indexWanted, index), bookmark };
};

/** The line of an event that has left the log: of what happened it has the leaf alone. */
const archivedLeaf = (line: Record<string, unknown>, bookmark: Bookmark, indexWanted: number): SourceLeaf | null => {
  const { leaf_hash: hash, leaf_index: said } = line;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/u.test(hash)) return null;
  const fault = orderFaultOf(said, null, indexWanted, bookmark.index);
  return { index: bookmark.index, entry: null, hash: fromHex(hash), fault, bookmark };
};

const faultOf = (
  line: Record<string, unknown>,
  entry: LogEntry,
  hash: Uint8Array,
  indexWanted: number,
  index: number,
): LeafFault | null => {
  const at = lineAt(index);
  const { leaf_index: saidIndex, leaf_hash: saidHash } = line;
  if (typeof saidHash !== 'string') return { code: 'event_unreadable', message: `${at} has no leaf_hash` };
  if (saidHash !== toHex(hash))
    return {
      code: 'event_changed',
      message: `${at}: ${eventName(entry)} is not the event that its leaf_hash was made of (${saidHash}; the event as it is here makes ${toHex(hash)})`,
    };
  return orderFaultOf(saidIndex, entry, indexWanted, index);
};

const orderFaultOf = (
  saidIndex: unknown,
  entry: LogEntry | null,
  indexWanted: number,
  index: number,
): LeafFault | null => {
  const at = lineAt(index);
  const said = Number(saidIndex);
  if (!Number.isSafeInteger(said)) return { code: 'event_unreadable', message: `${at} has no leaf_index` };
  if (said > indexWanted)
    return {
      code: 'event_missing',
      message: `before line ${index + 1} ${said - indexWanted} event(s) are missing: it should be index ${indexWanted} and is index ${said}, ${eventName(entry)}`,
      count: said - indexWanted,
    };
  if (said < indexWanted)
    return { code: 'event_order', message: `${at} says index ${said}: a line was added or repeated before it` };
  return null;
};

/** Each event is a line, so the index counts the lines. */
const lineAt = (index: number): string => `line ${index + 1} (index ${index})`;
