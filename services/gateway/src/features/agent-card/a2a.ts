import { randomUUID } from 'node:crypto';
import { a2aRoute } from '@agent-trust/contracts';
import { answerMessage } from './answer-message.ts';
import { ownCard } from './card.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

/** Where the registry's own card sends clients that speak A2A. */
export const a2a: Endpoint = endpoint(a2aRoute, async ({ body }, gateway) =>
  answerMessage(body, ownCard(gateway.baseUrl), randomUUID()),
);
