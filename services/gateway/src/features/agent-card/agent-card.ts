import { randomUUID } from 'node:crypto';
import {
  a2aRoute,
  type AgentCard,
  agentCardRoute,
  buildAgentCard,
  olderAgentCardRoute,
  routes,
} from '@agent-trust/contracts';
import { aboutRegistry } from '../../about-registry.ts';
import { answerMessage } from './answer-message.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { publicDocument } from '../../http/public-document.ts';

let made: { baseUrl: string; card: AgentCard } | undefined;

/** The agent card of the registry at this address, of which a process has one. */
export function ownCard(baseUrl: string): AgentCard {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, card: buildAgentCard(routes, { ...aboutRegistry, baseUrl }) };
  return made.card;
}

const answer = publicDocument(ownCard);

const agentCard = endpoint(agentCardRoute, async ({ request, reply }, gateway) =>
  answer(request, reply, gateway.baseUrl),
);

const olderAgentCard = endpoint(olderAgentCardRoute, async ({ request, reply }, gateway) =>
  answer(request, reply, gateway.baseUrl),
);

/** Where the registry's own card sends clients that speak A2A. */
const a2a = endpoint(a2aRoute, async ({ body }, gateway) =>
  answerMessage(body, ownCard(gateway.baseUrl), randomUUID()),
);

export const agentCardEndpoints: readonly Endpoint[] = [agentCard, olderAgentCard, a2a];
