import type { MatchedAgent } from '@agent-trust/contracts';
import type { MatchIndex, MatchQuestion } from './match-index.ts';
import { matchReasons } from './match-reasons.ts';
import type { PublicViews } from './public-views.ts';

/**
 * A stretch of the best matches of a universe with what the public may know of them, best first.
 *
 * @param index as fresh as the question
 * @throws database errors
 */
export const findMatches = async (
  index: MatchIndex,
  views: PublicViews,
  question: MatchQuestion,
  stretch: { limit: number; offset: number },
): Promise<MatchedAgent[]> => {
  const ranked = index.rank(question, stretch);
  const seen = await views.of(ranked, question.universe);
  return ranked.flatMap(({ agentId, matchScore }) => {
    const agent = seen.get(agentId);
    if (agent === undefined) return [];
    return [{ agent, matchScore, matchReasons: matchReasons(question.capabilities ?? [], agent.capabilities) }];
  });
};
