import {
  configurationPatchFromWire,
  confirmationAnswersFromWire,
  confirmationRequestToWire,
  DomainError,
  getAgent,
  identityPatchFromWire,
  trustObjectToWire,
  updateAgent,
  updateRoute,
} from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { askAfter } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { scopeOfCredentials } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';

export const update: Endpoint = endpoint(updateRoute, async ({ body, credentials, actor, request, reply }, gateway) => {
  const { organisation, operator, agentByKey, signer } = credentials;
  const agent = agentByKey ?? signer?.agent ?? null;
  const scope = scopeOfCredentials({ agent, organisation, operator });
  return idempotently(gateway, { request, reply }, scope, async (once, written) => {
    const agentId = body.agent_id;
    const updated = await command(gateway, request, updateAgent, {
      agentId,
      ...identityPatchFromWire(body),
      configuration: configurationPatchFromWire(body),
      pullFromAgentId: body.pull_from_agent_id ?? null,
      ...confirmationAnswersFromWire(body),
      credentials: { agentId: agent?.agentId ?? null, organisation, admin: operator !== null },
      commandId: once.commandId,
      earlierCommandId: once.earlierCommandId,
      actor,
    });
    if (updated.outcome === 'confirmation_required') {
      reply.code(202);
      return confirmationRequestToWire(agentId, updated);
    }
    written();
    const { universe, position } = updated;
    const { agent: updatedAgent } = await askAfter(gateway, request, position, getAgent, { agentId, universe });
    if (updatedAgent === null)
      throw new DomainError('agent_not_found', 'the agent was updated and has left this universe since');
    return trustObjectToWire(updatedAgent, gateway.baseUrl);
  });
});
