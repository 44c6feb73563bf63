import { queryLimits } from '../../shared/limits.ts';
import { unknownState, type VisibleState } from '../../shared/visible-state.ts';
import { type ChangeCursor, findChangedAgents, noChanges } from '../../projector/read-models/agent-change/queries.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { MatchIndex } from './match-index.ts';

export type FreshMatchIndex = ReturnType<typeof freshMatchIndex>;

export type FreshMatchIndexOptions = {
  /** Reading the index of another build failed; the next question tries again. */
  onError?: (error: unknown) => void;
  /** While it is the same, questions read nothing. */
  visibleState?: VisibleState;
  entriesPerReadMax?: number;
  namesSpareMax?: number;
};

/**
 * An index, its cursor, the build of the read model that it began with and its number of names then; null before the first read. `state` is
 * what readers saw when its last look began, if that was known.
 */
type Reading = {
  generation: string | null;
  index: MatchIndex;
  cursor: ChangeCursor;
  namesAtFirst: number | null;
  state: string | null;
};

const newReading = (): Reading => ({
  generation: null,
  index: new MatchIndex(),
  cursor: noChanges,
  namesAtFirst: null,
  state: null,
});

/**
 * Keeps a match index in step with the read models: each question first reads the changes since the last one, unless it is known that there
 * are none. So an answer is never older than its question, on any instance. Questions that arrive together share one read that has not begun
 * yet.
 *
 * After a replay has switched the read model, questions continue with the index and the changes of the new build, while another index is
 * read from the beginning to replace it. Rows of both builds are the same, unless differences were accepted: then answers show the former
 * row of an agent until the other index is complete.
 *
 * An index keeps names that agents have dropped. To bound it against agents that rename without end, it is rebuilt after too many names.
 */
export function freshMatchIndex(database: ReadModelDatabase, options: FreshMatchIndexOptions = {}) {
  const countMax = options.entriesPerReadMax ?? queryLimits.changedAgentsPerReadMax;
  const namesSpareMax = options.namesSpareMax ?? queryLimits.matchNamesSpareMax;
  const visibleState = options.visibleState ?? unknownState;
  let current: Reading = newReading();
  let isRebuilding = false;
  let lastLook: Promise<unknown> = Promise.resolve();
  /** A look that has not begun, so that more questions may join it. */
  let waitingLook: Promise<MatchIndex> | null = null;

  /** Takes over all changes; answers the builds that the first and the last of them are from. */
  const catchUp = async (reading: Reading): Promise<{ first: string; last: string }> => {
    let first: string | null = null;
    for (let last: string | null = null; ; ) {
      const { generation, entries, isCut } = await findChangedAgents(database, reading.cursor, countMax);
      first ??= generation;
      if (last !== null && last !== generation) {
        // Builds of two versions may order changes differently: an unread one may lie behind the cursor now.
        reading.cursor = noChanges;
        last = generation;
        continue;
      }
      last = generation;
      for (const entry of entries) reading.index.apply(entry);
      const end = entries.at(-1);
      if (end !== undefined) reading.cursor = { position: end.changedPosition, agentId: end.agentId };
      if (!isCut) return { first, last };
    }
  };

  const rebuild = async (): Promise<void> => {
    isRebuilding = true;
    try {
      for (;;) {
        const reading = newReading();
        const { first, last } = await catchUp(reading);
        // Switched once more in between: a part of it is from the build before.
        if (first !== last) continue;
        reading.index.build = last;
        current = { ...reading, generation: last, namesAtFirst: reading.index.nameCount };
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
    const state = visibleState();
    const { first, last } = await catchUp(looked);
    looked.state = state;
    looked.generation ??= first;
    looked.index.build = looked.generation;
    looked.namesAtFirst ??= looked.index.nameCount;
    const isCrowded = looked.index.nameCount > 2 * looked.namesAtFirst + namesSpareMax;
    // It ends by itself and never rejects.
    if ((looked.generation !== last || isCrowded) && !isRebuilding) void rebuild();
    // Not `current`: an index that took its place meanwhile may have been read before the question came.
    return looked.index;
  };

  /** The index with every change that was committed when this was called. Throws database errors. */
  const fresh = (): Promise<MatchIndex> => {
    if (current.state !== null && current.state === visibleState()) return Promise.resolve(current.index);
    if (waitingLook === null) {
      waitingLook = lastLook.then(() => {
        waitingLook = null;
        return look();
      });
      lastLook = waitingLook.catch(() => undefined);
    }
    return waitingLook;
  };
  return {
    fresh,
    /** Reads changes regularly, so that no question has to take over those of hours. Returns how to stop. */
    follow: (everyMs: number): (() => void) => {
      // A question that meets the same fault says so; this one is only early.
      const timer = setInterval(() => void fresh().catch(() => undefined), everyMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
