import { publishAgent, publishRoute } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { type Move, moveAgent } from './move.ts';

const toProduction: Move = { operation: 'publishAgent', method: publishAgent, movedTo: 'production' };

export const publish: Endpoint = endpoint(publishRoute, ({ body, request }, gateway) =>
  moveAgent(gateway, request, body.agent_id, toProduction),
);
