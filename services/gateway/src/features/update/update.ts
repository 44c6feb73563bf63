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
import { actorOfAll, authenticateAll, toUpdateCredentials } from '../../http/caller/credentials-of.ts';
import { command } from '../../bus/ask.ts';
import { askAfter } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { scopeOfCredentials } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';

export const update: Endpoint = endpoint(
  updateRoute,
  async ({ body, request, reply }, gateway) => {
    const credentials = await authenticateAll(gateway, request, 'updateAgent');
    return idempotently(gateway, { request, reply }, scopeOfCredentials(credentials), async (once, written) => {
      const agentId = body.agent_id;
      const updated = await command(gateway, request, updateAgent, {
        agentId,
        ...identityPatchFromWire(body),
        configuration: configurationPatchFromWire(body),
        pullFromAgentId: body.pull_from_agent_id ?? null,
        ...confirmationAnswersFromWire(body),
        credentials: toUpdateCredentials(credentials),
        commandId: once.commandId,
        actor: actorOfAll(credentials, request),
      });
      if (updated.outcome === 'confirmation_required') {
        reply.code(202);
        return confirmationRequestToWire(agentId, updated);
      }
      written();
      const { universe, position } = updated;
      const { agent } = await askAfter(gateway, request, position, getAgent, { agentId, universe });
      if (agent === null)
        throw new DomainError('agent_not_found', 'the agent was updated and has left this universe since');
      return trustObjectToWire(agent, gateway.baseUrl);
    });
  },
  { keepsRawBody: true },
);
