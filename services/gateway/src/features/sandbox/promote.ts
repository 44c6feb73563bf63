import { fieldsCopiedToWire, promoteAgent, promoteRoute } from '@agent-trust/contracts';
import { authenticateOrganisation } from '../../http/caller/organisation.ts';
import { heldCredentials } from '../../http/caller/held-credentials.ts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const promote: Endpoint = endpoint(promoteRoute, async ({ body, request }, gateway) => {
  const { orgId } = await authenticateOrganisation(gateway, request, 'promoteAgent');
  const { sandboxAgentId, liveAgentId } = body;
  const { fieldsCopied, promotedAt, position, ...promoted } = await command(gateway, request, promoteAgent, {
    sandboxAgentId,
    liveAgentId,
    orgId,
    actor: { kind: 'organisation', id: orgId, credentials: heldCredentials(request) },
  });
  await untilReadable(gateway, request, position);
  return {
    sandbox_agent_id: sandboxAgentId,
    real_agent_id: promoted.liveAgentId,
    fields_copied: fieldsCopiedToWire(fieldsCopied),
    promoted_at: promotedAt,
  };
});
