import { edgeLimits } from '../../limits.ts';

/** What a text shows: an agent as it was after the event at a position, in a build of the read model. */
export type Version = { build: string; changedPosition: string };

type Shown = Version & { text: string };

/**
 * Texts of agents as answers show them, for as long as they hold. A text is only ever taken for the very version that it was made of,
 * and every ranking says which that is: so nothing here has to be told of changes, and nothing of it is shown after one.
 */
export type ShownAgents = {
  find(agentId: string, version: Version): string | undefined;
  keep(agentId: string, version: Version, text: string): void;
};

export function createShownAgents(charsMax: number = edgeLimits.shownAgentsCharsMax): ShownAgents {
  // A map keeps the order of insertion: the least recently used text comes first.
  const kept = new Map<string, Shown>();
  let chars = 0;
  const forget = (agentId: string): void => {
    chars -= kept.get(agentId)?.text.length ?? 0;
    kept.delete(agentId);
  };
  return {
    find: (agentId, { build, changedPosition }) => {
      const shown = kept.get(agentId);
      if (shown === undefined || shown.changedPosition !== changedPosition || shown.build !== build) return undefined;
      kept.delete(agentId);
      kept.set(agentId, shown);
      return shown.text;
    },
    keep: (agentId, { build, changedPosition }, text) => {
      forget(agentId);
      kept.set(agentId, { build, changedPosition, text });
      chars += text.length;
      for (const oldest of kept.keys()) {
        if (chars <= charsMax) break;
        forget(oldest);
      }
    },
  };
}
