import { agentCardRoute, olderAgentCardRoute } from '@agent-trust/contracts';
import { ownCard } from './card.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { publicDocument } from '../../http/public-document.ts';

const answer = publicDocument(ownCard);

export const agentCard: Endpoint = endpoint(agentCardRoute, async ({ request, reply }, gateway) =>
  answer(request, reply, gateway.baseUrl),
);

export const olderAgentCard: Endpoint = endpoint(olderAgentCardRoute, async ({ request, reply }, gateway) =>
  answer(request, reply, gateway.baseUrl),
);
