import {
  limits,
  type ReviewsVoidedWire,
  type SelectedReview,
  selectedReview,
  selectReviews,
  toWire,
  voidReviews,
  voidReviewsRoute,
} from '@agent-trust/contracts';
import { ask, command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { endpoint } from '../../http/endpoint.ts';

export const voidReviewsEndpoint = endpoint(voidReviewsRoute, async ({ body, actor, request }, gateway) => {
  const selection = {
    transactionIds: body.transaction_ids ?? null,
    reviewerAgentIds: body.reviewer_agent_ids ?? null,
    agentIds: body.agent_ids ?? null,
    reviewedFrom: body.reviewed_from ?? null,
    reviewedUntil: body.reviewed_until ?? null,
  };
  const answerOf = ({ reviews, remaining }: { reviews: SelectedReview[]; remaining: number }) =>
    ({
      dry_run: body.dry_run,
      reviews: reviews.map((review) => toWire(selectedReview, review)),
      remaining,
    }) satisfies ReviewsVoidedWire;
  if (body.dry_run)
    return answerOf(await ask(gateway, request, selectReviews, { selection, limit: limits.reviewsVoidedMax }));
  const voided = await command(gateway, request, voidReviews, { selection, reason: body.reason, actor });
  const answer = answerOf(voided);
  if (voided.position !== null) await untilReadable(gateway, voided.position, answer);
  return answer;
});
