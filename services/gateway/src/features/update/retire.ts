import { type AgentRetiredWire, retireAgent, retireRoute } from '@agent-trust/contracts';
import { write } from '../../bus/read-your-writes.ts';
import { ownerAuthorityOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const retire: Endpoint = endpoint(retireRoute, ({ body, caller, actor, request }, gateway) => {
  const agentId = body.agent_id;
  const input = { agentId, authority: ownerAuthorityOf(caller), actor };
  return write(
    gateway,
    request,
    retireAgent,
    input,
    ({ retiredAt }) => ({ agent_id: agentId, status: 'retired', retired_at: retiredAt }) satisfies AgentRetiredWire,
  );
});
