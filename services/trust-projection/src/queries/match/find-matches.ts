import type { MatchedAgent } from '@agent-trust/contracts';
import { matchReasons } from './match-reasons.ts';
import type { FreshMatchIndex } from './fresh-match-index.ts';
import type { MatchQuestion } from './match-index.ts';
import type { PublicViews } from './public-views.ts';

export type MatchParts = { index: FreshMatchIndex; views: PublicViews };

/**
 * A stretch of the best matches of a universe with what the public may know of them, best first.
 *
 * @throws database errors
 */
export const findMatches = async (
  { index, views }: MatchParts,
  question: MatchQuestion,
  stretch: { limit: number; offset: number },
): Promise<MatchedAgent[]> => {
  const ranked = (await index.fresh()).rank(question, stretch);
  const seen = await views.of(ranked, question.universe);
  return ranked.flatMap(({ agentId, matchScore }) => {
    const agent = seen.get(agentId);
    if (agent === undefined) return [];
    return [{ agent, matchScore, matchReasons: matchReasons(question.capabilities ?? [], agent.capabilities) }];
  });
};
