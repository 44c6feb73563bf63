import { getReviewReceipt, receiptToWire, reviewReceiptRoute } from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const receipt: Endpoint = endpoint(reviewReceiptRoute, async ({ params, caller, request, reply }, gateway) => {
  const universe = universeOf(caller);
  const review = { agentId: params.agent_id, transactionId: params.transaction_id };
  const proof = await ask(gateway, request, getReviewReceipt, { ...review, universe });
  reply.header('cache-control', 'no-cache');
  return receiptToWire(review, proof);
});
