import type { PublicAgent } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import { findAgentsWithChange } from '../../read-models/agent-change/queries.ts';
import { publicView } from '../agent-view.ts';
import type { ReadModelDatabase } from '../database.ts';
import type { RankedAgent } from './match-entry.ts';

type KeptView = { view: PublicAgent; universe: string; changedPosition: bigint; chars: number };

export type PublicViews = {
  /** Views of ranked agents by id; those that have left the universe since they were ranked are left out. */
  of(ranked: readonly RankedAgent[], universe: string): Promise<ReadonlyMap<string, PublicAgent>>;
  /** Forgets all: the same position may mean another row from now on. */
  clear(): void;
};

/**
 * What may be shown of agents, remembered for as long as it holds: a view is used again only while the ranking knows of no newer
 * change of its agent. The best of a market are asked for again and again, and to read and shape their rows is most of the work of a match.
 */
export const publicViews = (
  database: ReadModelDatabase,
  charsMax: number = queryLimits.matchViewsCharsMax,
): PublicViews => {
  // A map keeps the order of insertion: the least recently used view comes first.
  const kept = new Map<string, KeptView>();
  let keptChars = 0;
  /** How often all was forgotten: what was read before the last time is not kept after it. */
  let clearings = 0;

  const forget = (agentId: string): void => {
    keptChars -= kept.get(agentId)?.chars ?? 0;
    kept.delete(agentId);
  };
  const keep = (agentId: string, view: KeptView): void => {
    forget(agentId);
    kept.set(agentId, view);
    keptChars += view.chars;
    for (const oldest of kept.keys()) {
      if (keptChars <= charsMax) break;
      forget(oldest);
    }
  };

  return {
    of: async (ranked, universe) => {
      const found = new Map<string, KeptView>();
      const missing: string[] = [];
      for (const { agentId, changedPosition } of ranked) {
        const view = kept.get(agentId);
        if (view === undefined || view.changedPosition < changedPosition) missing.push(agentId);
        else {
          found.set(agentId, view);
          kept.delete(agentId);
          kept.set(agentId, view);
        }
      }
      if (missing.length > 0) {
        const clearingsBefore = clearings;
        for (const record of await findAgentsWithChange(database, missing)) {
          const view = publicView(record);
          const { agentId, changedPosition } = record;
          const made = { view, universe: record.universe, changedPosition, chars: JSON.stringify(view).length };
          found.set(agentId, made);
          const isNewest = (kept.get(agentId)?.changedPosition ?? -1n) <= changedPosition;
          if (isNewest && clearings === clearingsBefore) keep(agentId, made);
        }
      }
      const views = new Map<string, PublicAgent>();
      for (const [agentId, seen] of found) if (seen.universe === universe) views.set(agentId, seen.view);
      return views;
    },
    clear: () => {
      kept.clear();
      keptChars = 0;
      clearings += 1;
    },
  };
};
