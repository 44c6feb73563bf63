import type { MatchReason, RankedMatch } from '@agent-trust/contracts';
import type { MatchIndex, MatchQuestion } from './match-index.ts';
import { sharedReasons } from './match-reasons.ts';

/**
 * A stretch of the best matches of a universe with the reasons, best first.
 *
 * @param index as fresh as the question
 */
export function findMatches(
  index: MatchIndex,
  question: MatchQuestion,
  stretch: { limit: number; offset: number },
): { build: string; reasons: MatchReason[]; matches: RankedMatch[] } {
  const { reasons, placesOf } = sharedReasons(question.capabilities ?? []);
  const matches = index.rank(question, stretch).map(({ agentId, matchScore, changedPosition, capabilities }) => ({
    agentId,
    changedPosition: String(changedPosition),
    matchScore,
    matchReasons: placesOf(capabilities),
  }));
  return { build: index.build, reasons, matches };
}
