import type { RecommendedAction } from '@agent-trust/contracts';

/** From this score on a consumer should proceed. */
export const trustedScoreMin = 70;
/** From this score on a consumer should proceed with limits; below it, abort. */
export const cautionScoreMin = 50;

/** What a consumer should do with a registered agent of this trust_score (specification, "Decision rule for consumers"). */
export function recommendedActionOf(trustScore: number): RecommendedAction {
  if (trustScore >= trustedScoreMin) return 'proceed';
  return trustScore >= cautionScoreMin ? 'proceed_with_limits' : 'abort';
}

/** What a consumer should do with an agent that nobody has registered. */
export const unregisteredAction: RecommendedAction = 'block';
