import { sameHash, tileWidth } from '@agent-trust/transparency-log';
import { verifierLimits } from '../limits.ts';
import type { Finding } from '../report/report.ts';
import { eventName, type LogSource, type SourceLeaf } from '../sources/log-source.ts';
import { leavesOfBlock, type TileStore, type TreeBlocks } from '../tiles/tile-store.ts';
import { type LogReading, readBlockAgain } from './read-log.ts';

/**
 * The events in which a log differs from a checkpoint's tree: compares the blocks and reads those that differ again. Empty if there is no difference.
 * @throws UnreachableError if a tile cannot be read
 */
export async function locate(
  source: LogSource,
  reading: LogReading,
  tree: TreeBlocks,
  tiles: TileStore,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const blockCount = Math.ceil(Math.min(reading.size, tree.size) / tileWidth);
  let searched = 0;
  for (let block = 0; block < blockCount && searched < verifierLimits.blocksSearchedMax; block += 1) {
    const [own, wanted] = [reading.blocks[block], tree.blocks[block]];
    if (own !== undefined && wanted !== undefined && sameHash(own, wanted)) continue;
    const found = await locateInBlock(source, reading, tree, tiles, block);
    findings.push(...found.findings);
    // Behind an event too few or too many, every block differs.
    if (found.isShifted) break;
    if (found.findings.length > 0) searched += 1;
  }
  return findings;
}

const locateInBlock = async (
  source: LogSource,
  reading: LogReading,
  tree: TreeBlocks,
  tiles: TileStore,
  block: number,
): Promise<{ findings: Finding[]; isShifted: boolean }> => {
  const start = block * tileWidth;
  const wanted = await leavesOfBlock(tree, block, tiles);
  if (wanted === null) {
    const message = `the tile of events ${start} to ${start + tileWidth - 1} at ${tiles.description} does not belong to the tree that it is part of`;
    return { findings: [{ code: 'tiles_differ', message, index: start }], isShifted: false };
  }
  const next = block + 1 <= tree.blocks.length ? ((await leavesOfBlock(tree, block + 1, tiles)) ?? []) : [];
  const leaves = await readBlockAgain(source, reading, block, tileWidth + verifierLimits.shiftEventsMax);
  const difference = compareLeaves(
    leaves.map(({ hash }) => hash),
    [...wanted, ...next],
    wanted.length,
    verifierLimits.shiftEventsMax,
  );
  if (difference === null) return { findings: [], isShifted: false };
  if (difference.kind === 'changed')
    return { findings: difference.at.map((at) => changed(start + at, leaves[at])), isShifted: false };
  return {
    findings: [shifted(difference.kind, start + difference.at, difference.count, leaves, difference.at)],
    isShifted: true,
  };
};

const placeOf = (leaf: SourceLeaf | undefined): Partial<Finding> => {
  const entry = leaf?.entry;
  return entry == null ? {} : { position: entry.position, event_id: entry.event_id };
};

const changed = (index: number, leaf: SourceLeaf | undefined): Finding => ({
  code: 'event_changed',
  message: `index ${index}: ${eventName(leaf?.entry ?? null)} is not the event that the tree holds there: it was changed or replaced`,
  index,
  ...placeOf(leaf),
});

const shifted = (
  kind: 'missing' | 'added',
  index: number,
  count: number,
  leaves: readonly SourceLeaf[],
  at: number,
): Finding => {
  const before = leaves[at - 1]?.entry;
  const where = before == null ? '' : ` behind position ${before.position}`;
  const name = eventName(leaves[at]?.entry ?? null);
  const place = { index, count, ...placeOf(leaves[at]) };
  const message =
    kind === 'missing'
      ? `are missing${where}; ${name} follows too early`
      : `that the tree does not hold were put in${where}; the first is ${name}`;
  return { code: `event_${kind}`, message: `index ${index}: ${count} event(s) ${message}`, ...place };
};

/** How a log's leaves differ from the tree's. Indices count from the first compared leaf. */
type LeafDifference =
  | { kind: 'changed'; at: number[] }
  | { kind: 'missing'; at: number; count: number }
  | { kind: 'added'; at: number; count: number };

/**
 * The first difference. If the leaves fit again after a shift, events are missing or were added; else the differing ones were changed.
 * @param own The log's leaves, and some that follow.
 * @param wanted The tree's, and some that follow.
 * @param count Number of leaves to compare; the rest only reveals a shift.
 * @param shiftMax The longest shift that is searched.
 */
const compareLeaves = (
  own: readonly Uint8Array[],
  wanted: readonly Uint8Array[],
  count: number,
  shiftMax: number,
): LeafDifference | null => {
  const differs = (at: number): boolean => !same(own[at], wanted[at]);
  const compared = Math.min(count, own.length, wanted.length);
  let first = 0;
  while (first < compared && !differs(first)) first += 1;
  if (first === compared) return null;
  for (let shift = 1; shift <= shiftMax; shift += 1) {
    if (fits(own, first, wanted, first + shift)) return { kind: 'missing', at: first, count: shift };
    if (fits(wanted, first, own, first + shift)) return { kind: 'added', at: first, count: shift };
  }
  const at = Array.from({ length: compared - first }, (_, offset) => first + offset).filter(differs);
  return { kind: 'changed', at };
};

/** Leaves are alike from here on, as far as both go: at least one of them. */
const fits = (one: readonly Uint8Array[], oneAt: number, other: readonly Uint8Array[], otherAt: number): boolean => {
  const length = Math.min(one.length - oneAt, other.length - otherAt);
  if (length < 1) return false;
  for (let at = 0; at < length; at += 1) if (!same(one[oneAt + at], other[otherAt + at])) return false;
  return true;
};

const same = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && sameHash(one, other);
