import type { RankedMatch } from '@agent-trust/contracts';
import type { MatchIndex, MatchQuestion } from './match-index.ts';
import { matchReasons } from './match-reasons.ts';

/**
 * A stretch of the best matches of a universe with the reasons, best first.
 *
 * @param index as fresh as the question
 */
export const findMatches = (
  index: MatchIndex,
  question: MatchQuestion,
  stretch: { limit: number; offset: number },
): RankedMatch[] =>
  index.rank(question, stretch).map(({ agentId, matchScore, changedPosition, capabilities }) => ({
    agentId,
    changedPosition: String(changedPosition),
    matchScore,
    matchReasons: matchReasons(question.capabilities ?? [], capabilities),
  }));
