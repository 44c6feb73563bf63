import {
  erasePersonalData as erase,
  erasePersonalDataRoute,
  type PersonalDataErasedWire,
} from '@agent-trust/contracts';
import { write } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const erasePersonalData: Endpoint = endpoint(erasePersonalDataRoute, ({ params, actor, request }, gateway) => {
  const agentId = params.agent_id;
  return write(
    gateway,
    request,
    erase,
    { agentId, actor },
    ({ erasedAt }) => ({ agent_id: agentId, status: 'erased', erased_at: erasedAt }) satisfies PersonalDataErasedWire,
  );
});
