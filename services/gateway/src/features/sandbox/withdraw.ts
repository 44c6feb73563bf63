import { withdrawAgent, withdrawRoute } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { type Move, moveAgent } from './move.ts';

const toSandbox: Move = { operation: 'withdrawAgent', method: withdrawAgent, movedTo: 'sandbox' };

export const withdraw: Endpoint = endpoint(withdrawRoute, ({ body, request }, gateway) =>
  moveAgent(gateway, request, body.agent_id, toSandbox),
);
