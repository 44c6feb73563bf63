import {
  agentNotFound,
  consistencyProof as consistencyProofView,
  DomainError,
  getLogCheckpoint,
  getLogConsistencyProof,
  getLogInclusionProof,
  getLogKey,
  getLogTile,
  getReviewReceipt,
  inclusionProofToWire,
  listReviewLeaves,
  logCheckpointRoute,
  logConsistencyProofRoute,
  logInclusionProofRoute,
  logKey as logKeyView,
  logKeyRoute,
  logTileRoutes,
  receiptToWire,
  reviewLeafToWire,
  reviewLeavesRoute,
  reviewReceiptRoute,
  toWire,
} from '@agent-trust/contracts';
import { parseTilePath } from '@agent-trust/transparency-log';
import { ask } from '../../bus/ask.ts';
import { universeOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';

const logCheckpoint = endpoint(logCheckpointRoute, async ({ request, reply }, gateway) => {
  const { note } = await ask(gateway, request, getLogCheckpoint, {});
  return reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(note);
});

const logKey = endpoint(logKeyRoute, async ({ request, reply }, gateway) => {
  const key = await ask(gateway, request, getLogKey, {});
  reply.header('cache-control', 'public, max-age=300');
  return toWire(logKeyView, key);
});

const inclusionProof = endpoint(logInclusionProofRoute, async ({ query, request, reply }, gateway) => {
  const { index, event_id: eventId = '', size = null } = query;
  const leaf = index === undefined ? { eventId } : { index };
  const proof = await ask(gateway, request, getLogInclusionProof, { leaf, size });
  reply.header('cache-control', 'no-cache');
  return inclusionProofToWire(proof);
});

const consistencyProof = endpoint(logConsistencyProofRoute, async ({ query, request, reply }, gateway) => {
  const { from = 0, to = null } = query;
  const proof = await ask(gateway, request, getLogConsistencyProof, { from, to });
  reply.header('cache-control', 'no-cache');
  return toWire(consistencyProofView, proof);
});

const reviewLeaves = endpoint(reviewLeavesRoute, async ({ params, query, caller, request, reply }, gateway) => {
  const agentId = params.agent_id;
  const { reviews, total } = await ask(gateway, request, listReviewLeaves, {
    agentId,
    universe: universeOf(caller),
    ...query,
  });
  if (reviews === null) throw agentNotFound(agentId);
  setPageHeaders(reply, `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/reviews/leaves`, query, total);
  reply.header('cache-control', 'no-cache');
  return reviews.map(reviewLeafToWire);
});

const receipt = endpoint(reviewReceiptRoute, async ({ params, caller, request, reply }, gateway) => {
  const universe = universeOf(caller);
  const review = { agentId: params.agent_id, transactionId: params.transaction_id };
  const proof = await ask(gateway, request, getReviewReceipt, { ...review, universe });
  reply.header('cache-control', 'no-cache');
  return receiptToWire(review, proof);
});

/** A tile never changes; a partial one is the beginning of the fuller ones. */
const forever = 'public, max-age=31536000, immutable';

const notInLog = (): DomainError => new DomainError('not_in_log', 'the signed tree has no such tile');

const tiles = logTileRoutes.map((route) =>
  endpoint(route, async ({ params, request, reply }, gateway) => {
    // In the order of the path.
    const tile = parseTilePath(Object.values(params).join('/'));
    if (tile === null) throw notInLog();
    const { hashes } = await ask(gateway, request, getLogTile, tile);
    if (hashes === null) throw notInLog();
    return reply.header('cache-control', forever).type('application/octet-stream').send(Buffer.from(hashes, 'base64'));
  }),
);

export const logEndpoints: readonly Endpoint[] = [
  logCheckpoint,
  logKey,
  inclusionProof,
  consistencyProof,
  receipt,
  reviewLeaves,
  ...tiles,
];
