import type { ArchivedLeaf } from '@agent-trust/log-archive';
import type { SourceLeaf } from './log-source.ts';

/** What stands at a position of the log: an event, or the leaf that is kept of one that was archived. */
export type Placed = { position: bigint; isArchived: boolean; leafAt: (index: number) => SourceLeaf };

export function archivedPlace({ position, hash }: ArchivedLeaf): Placed {
  const leafAt = (index: number): SourceLeaf => ({
    index,
    entry: null,
    hash,
    fault: null,
    bookmark: { index, place: position },
  });
  return { position, isArchived: true, leafAt };
}

/** The leaves of what stands one behind the other, the first at `index`. */
export function leavesFrom(index: number, places: readonly Placed[]): SourceLeaf[] {
  return places.map(({ leafAt }, at) => leafAt(index + at));
}
