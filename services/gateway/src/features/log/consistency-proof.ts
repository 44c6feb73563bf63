import { consistencyProofToWire, getLogConsistencyProof, logConsistencyProofRoute } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const consistencyProof: Endpoint = endpoint(
  logConsistencyProofRoute,
  async ({ query, request, reply }, gateway) => {
    const { from = 0, to = null } = query;
    const proof = await ask(gateway, request, getLogConsistencyProof, { from, to });
    reply.header('cache-control', 'no-cache');
    return consistencyProofToWire(proof);
  },
);
