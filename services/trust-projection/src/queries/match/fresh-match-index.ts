import { queryLimits } from '../../limits.ts';
import { findChangedAgents } from '../../read-models/agent-change/queries.ts';
import type { ReadModelDatabase } from '../database.ts';
import { MatchIndex } from './match-index.ts';

export type FreshMatchIndex = {
  /**
   * The index with every change that was committed when this was asked.
   *
   * @throws database errors
   */
  fresh(): Promise<MatchIndex>;
};

export type FreshMatchIndexOptions = {
  /** An index that was read from another build of the read model has taken the place of the last one. */
  onRebuilt?: () => void;
  /** Reading that index failed; the next question tries again. */
  onError?: (error: unknown) => void;
  entriesPerReadMax?: number;
};

/**
 * Keeps a match index in step with the read models: each question first fetches what has changed since the last one, which is mostly
 * nothing. So an answer is never older than its question, whichever instance gives it, and no instance has to be told of anything.
 *
 * Questions that arrive together share one look; none joins a look that had begun before it was asked.
 *
 * A replay that switches the read model has compared its rows with the live ones, so questions go on with the index and the new
 * build's changes, while another index is read from the beginning to take its place.
 */
export const freshMatchIndex = (database: ReadModelDatabase, options: FreshMatchIndexOptions = {}): FreshMatchIndex => {
  const countMax = options.entriesPerReadMax ?? queryLimits.changedAgentsPerReadMax;
  let current: { generation: string | null; index: MatchIndex } = { generation: null, index: new MatchIndex() };
  let isRebuilding = false;
  let lastLook: Promise<unknown> = Promise.resolve();
  /** A look that has not begun, so that more questions may join it. */
  let waitingLook: Promise<MatchIndex> | null = null;

  /** Takes over all changes; answers the builds that the first and the last of them are from. */
  const catchUp = async (index: MatchIndex): Promise<{ first: string; last: string }> => {
    let first: string | null = null;
    for (;;) {
      const { generation, entries, isCut } = await findChangedAgents(database, index.position, countMax);
      first ??= generation;
      for (const entry of entries) index.apply(entry);
      if (!isCut) return { first, last: generation };
    }
  };

  const rebuild = async (): Promise<void> => {
    isRebuilding = true;
    try {
      for (;;) {
        const index = new MatchIndex();
        const { first, last } = await catchUp(index);
        // Switched once more in between: a part of it is from the build before.
        if (first !== last) continue;
        current = { generation: last, index };
        options.onRebuilt?.();
        return;
      }
    } catch (error) {
      options.onError?.(error);
    } finally {
      isRebuilding = false;
    }
  };

  const look = async (): Promise<MatchIndex> => {
    const looked = current;
    const { first, last } = await catchUp(looked.index);
    looked.generation ??= first;
    // It ends by itself and never rejects.
    if (looked.generation !== last && !isRebuilding) void rebuild();
    // Not `current`: an index that took its place meanwhile may have been read before the question came.
    return looked.index;
  };

  return {
    fresh: () => {
      if (waitingLook === null) {
        waitingLook = lastLook.then(() => {
          waitingLook = null;
          return look();
        });
        lastLook = waitingLook.catch(() => undefined);
      }
      return waitingLook;
    },
  };
};
