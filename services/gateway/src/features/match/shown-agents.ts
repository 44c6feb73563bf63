import { createBoundedMap } from '@agent-trust/limits';
import { edgeLimits } from '../../limits.ts';

/** What a text shows: an agent as it was after the event at a position, in a build of the read model. */
export type Version = { build: string; changedPosition: string };

/**
 * Cached texts of agents as answers show them. A text is used only for the version that it was made from, and each ranking names that
 * version: so the cache needs no invalidation, and no stale text is shown.
 */
export type ShownAgents = {
  find(agentId: string, version: Version): string | undefined;
  keep(agentId: string, version: Version, text: string): void;
};

export function createShownAgents(charsMax: number = edgeLimits.shownAgentsCharsMax): ShownAgents {
  const kept = createBoundedMap<string, Version & { text: string }>({
    weight: { max: charsMax, of: ({ text }) => text.length },
  });
  return {
    find: (agentId, { build, changedPosition }) => {
      const shown = kept.get(agentId);
      return shown?.changedPosition === changedPosition && shown.build === build ? shown.text : undefined;
    },
    keep: (agentId, { build, changedPosition }, text) => void kept.set(agentId, { build, changedPosition, text }),
  };
}
