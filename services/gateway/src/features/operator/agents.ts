import {
  type AgentReinstatedWire,
  type AgentSuspendedWire,
  reinstateAgent,
  reinstateAgentRoute,
  suspendAgent,
  suspendAgentRoute,
} from '@agent-trust/contracts';
import { write } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const suspend = endpoint(suspendAgentRoute, ({ params, body, actor, request }, gateway) => {
  const agentId = params.agent_id;
  const input = { agentId, reason: body.reason, actor };
  return write(
    gateway,
    request,
    suspendAgent,
    input,
    ({ reason, suspendedAt }) =>
      ({ agent_id: agentId, status: 'suspended', reason, suspended_at: suspendedAt }) satisfies AgentSuspendedWire,
  );
});

const reinstate = endpoint(reinstateAgentRoute, ({ params, body, actor, request }, gateway) => {
  const agentId = params.agent_id;
  const input = { agentId, reason: body.reason, actor };
  return write(
    gateway,
    request,
    reinstateAgent,
    input,
    () => ({ agent_id: agentId, status: 'reinstated' }) satisfies AgentReinstatedWire,
  );
});

export const operatorAgentEndpoints: readonly Endpoint[] = [suspend, reinstate];
