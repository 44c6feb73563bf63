import {
  erasePersonalData as erase,
  erasePersonalDataRoute,
  type PersonalDataErasedWire,
} from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const erasePersonalData: Endpoint = endpoint(
  erasePersonalDataRoute,
  async ({ params, actor, request }, gateway) => {
    const agentId = params.agent_id;
    const { position, erasedAt } = await command(gateway, request, erase, { agentId, actor });
    await untilReadable(gateway, request, position);
    return { agent_id: agentId, status: 'erased', erased_at: erasedAt } satisfies PersonalDataErasedWire;
  },
);
