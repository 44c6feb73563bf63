import { getLogInclusionProof, inclusionProofToWire, logInclusionProofRoute } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const inclusionProof: Endpoint = endpoint(logInclusionProofRoute, async ({ query, request, reply }, gateway) => {
  const { index, event_id: eventId = '', size = null } = query;
  const leaf = index === undefined ? { eventId } : { index };
  const proof = await ask(gateway, request, getLogInclusionProof, { leaf, size });
  reply.header('cache-control', 'no-cache');
  return inclusionProofToWire(proof);
});
