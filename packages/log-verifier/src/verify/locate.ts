import { sameHash, tileWidth } from '@agent-trust/transparency-log';
import { verifierLimits } from '../limits.ts';
import type { Finding } from '../report/finding.ts';
import { eventName, type LogSource, type SourceLeaf } from '../sources/log-source.ts';
import { leavesOfBlock, type TreeBlocks } from '../tiles/blocks-of-tiles.ts';
import type { TileStore } from '../tiles/tile-store.ts';
import { compareLeaves } from './compare-leaves.ts';
import { type LogReading, readBlockAgain } from './read-log.ts';

/**
 * The events in which a log differs from the tree that a checkpoint was signed for: it compares the blocks, and reads those again that
 * differ. Empty when all that both have is alike.
 *
 * @throws UnreachableError when a tile cannot be had
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
  if (kind === 'missing')
    return {
      code: 'event_missing',
      message: `index ${index}: ${count} event(s) are missing${where}; ${name} follows too early`,
      ...place,
    };
  return {
    code: 'event_added',
    message: `index ${index}: ${count} event(s) that the tree does not hold were put in${where}; the first is ${name}`,
    ...place,
  };
};
