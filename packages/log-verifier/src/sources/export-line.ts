import { type LogEntry, leafHash, toHex } from '@agent-trust/transparency-log';
import { type Bookmark, eventName, type LeafFault, type SourceLeaf, unreadableHash } from './log-source.ts';

/** The last line of a whole export (see docs/audit.md). */
export type ExportEnd = { events: number };

const texts = ['position', 'event_id', 'stream', 'revision', 'type', 'recorded_at'] as const;
const objects = ['metadata', 'data'] as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The last line of an export, or null for any other. */
export function exportEndOf(text: string): ExportEnd | null {
  if (!text.startsWith('{"end_of_export"')) return null;
  try {
    const { end_of_export: end } = JSON.parse(text) as { end_of_export?: { events?: unknown } };
    return typeof end?.events === 'number' ? { events: end.events } : null;
  } catch {
    return null;
  }
}

/**
 * One line of an export as the leaf at `bookmark.index`. Its hash is that of the event in it; what it says of itself is compared with that.
 *
 * @param indexWanted What its leaf_index should be, by the lines before it.
 */
export function leafOfLine(text: string, bookmark: Bookmark, indexWanted: number): SourceLeaf {
  const { index } = bookmark;
  // One event a line, so lines are counted by it, whatever was read before.
  const line = index + 1;
  const at = `line ${line} (index ${index})`;
  const unreadable = (why: string): SourceLeaf => ({
    index,
    entry: null,
    hash: unreadableHash,
    fault: { code: 'event_unreadable', message: `${at} cannot be read: ${why}` },
    bookmark,
  });
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
  const entry = value as LogEntry;
  const hash = leafHash(entry);
  return { index, entry, hash, fault: faultOf(value, entry, hash, indexWanted, at), bookmark };
}

const faultOf = (
  line: Record<string, unknown>,
  entry: LogEntry,
  hash: Uint8Array,
  indexWanted: number,
  at: string,
): LeafFault | null => {
  const { leaf_index: saidIndex, leaf_hash: saidHash } = line;
  if (typeof saidHash !== 'string') return { code: 'event_unreadable', message: `${at} has no leaf_hash` };
  if (saidHash !== toHex(hash))
    return {
      code: 'event_changed',
      message: `${at}: ${eventName(entry)} is not the event that its leaf_hash was made of (${saidHash}; the event as it is here makes ${toHex(hash)})`,
    };
  const said = Number(saidIndex);
  if (!Number.isSafeInteger(said)) return { code: 'event_unreadable', message: `${at} has no leaf_index` };
  if (said > indexWanted)
    return {
      code: 'event_missing',
      message: `before line ${line_(at)} ${said - indexWanted} event(s) are missing: it should be index ${indexWanted} and is index ${said}, ${eventName(entry)}`,
      count: said - indexWanted,
    };
  if (said < indexWanted)
    return { code: 'event_order', message: `${at} says index ${said}: a line was added or repeated before it` };
  return null;
};

const line_ = (at: string): string => at.slice('line '.length, at.indexOf(' ('));
