import type { ExplainedReview } from '@agent-trust/client';

/**
 * Who speaks for a root, which may be an identifier that says nothing to a reader.
 *
 * @param reviews newest first
 * @returns the agents that speak for no other root, each once, newest first
 */
export function reviewersOf(root: string, reviews: readonly ExplainedReview[]): string[] {
  const own = reviews.filter(({ root_weights: shares }) => shares[root] === 1);
  return [...new Set(own.map(({ reviewer_agent_id: agentId }) => agentId))];
}
