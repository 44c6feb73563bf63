import { getReviewReceipt, receiptToWire, reviewReceiptRoute } from '@agent-trust/contracts';
import { scopeOf } from '../../http/caller/scope.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const receipt: Endpoint = endpoint(reviewReceiptRoute, async ({ params, request, reply }, gateway) => {
  const universe = await scopeOf(gateway, request, 'getReviewReceipt');
  const review = { agentId: params.agent_id, transactionId: params.transaction_id };
  const proof = await ask(gateway, request, getReviewReceipt, { ...review, universe });
  reply.header('cache-control', 'no-cache');
  return receiptToWire(review, proof);
});
