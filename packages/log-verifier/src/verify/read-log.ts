import { appendLeaf, emptyFrontier, frontierRoot, tileWidth, toHex } from '@agent-trust/transparency-log';
import type { Bookmark, LogSource, SourceLeaf } from '../sources/log-source.ts';

/** What is kept of a log that was read once: 32 bytes and a bookmark for each 256 events. */
export type LogReading = {
  size: number;
  /** Roots of the full blocks of 256 leaves, in order. */
  blocks: Uint8Array[];
  bookmarks: Bookmark[];
  /** The roots at the wanted sizes, and at the end. */
  rootAt: ReadonlyMap<number, Uint8Array>;
  /** The size at which the log had each wanted root, by its hexadecimal digits. */
  sizeOfRoot: ReadonlyMap<string, number>;
  lastPosition: string | null;
  /** Events that are missing in between, according to the source itself. */
  missing: number;
};

type ReadLogOptions = {
  sizes: ReadonlySet<number>;
  /** Roots whose sizes are wanted, in hexadecimal digits. Each event then costs the computation of a root. */
  roots: ReadonlySet<string>;
  onFault: (leaf: SourceLeaf) => void;
  onProgress: (events: number) => void;
  signal: AbortSignal;
};

const blockLevel = Math.log2(tileWidth);

export async function readLog(source: LogSource, options: ReadLogOptions): Promise<LogReading> {
  const { sizes, roots, onFault, onProgress, signal } = options;
  const blocks: Uint8Array[] = [];
  const bookmarks: Bookmark[] = [];
  const rootAt = new Map<number, Uint8Array>();
  const sizeOfRoot = new Map<string, number>();
  const onNode = (level: number, _index: number, hash: Uint8Array): void => {
    if (level === blockLevel) blocks.push(hash);
  };
  let frontier = emptyFrontier;
  let lastPosition: string | null = null;
  let missing = 0;
  if (sizes.has(0)) rootAt.set(0, frontierRoot(frontier));
  for await (const leaves of source.pages()) {
    signal.throwIfAborted();
    for (const leaf of leaves) {
      if (leaf.index % tileWidth === 0) bookmarks.push(leaf.bookmark);
      if (leaf.fault !== null) onFault(leaf);
      missing += leaf.fault?.count ?? 0;
      frontier = appendLeaf(frontier, leaf.hash, onNode);
      if (sizes.has(frontier.size)) rootAt.set(frontier.size, frontierRoot(frontier));
      if (roots.size > 0) {
        const root = toHex(frontierRoot(frontier));
        if (roots.has(root)) sizeOfRoot.set(root, frontier.size);
      }
      lastPosition = leaf.entry?.position ?? lastPosition;
    }
    onProgress(frontier.size);
  }
  rootAt.set(frontier.size, frontierRoot(frontier));
  return { size: frontier.size, blocks, bookmarks, rootAt, sizeOfRoot, lastPosition, missing };
}

export async function readBlockAgain(
  source: LogSource,
  { bookmarks }: LogReading,
  block: number,
  count: number,
): Promise<SourceLeaf[]> {
  const bookmark = bookmarks[block];
  if (bookmark === undefined) return [];
  const leaves: SourceLeaf[] = [];
  for await (const page of source.pages(bookmark)) {
    leaves.push(...page);
    if (leaves.length >= count) break;
  }
  return leaves.slice(0, count);
}
