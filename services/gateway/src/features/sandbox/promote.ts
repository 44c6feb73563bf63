import { promoteAgent, promoteRoute, snakeCase } from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const promote: Endpoint = endpoint(promoteRoute, async ({ body, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { sandboxAgentId, liveAgentId } = body;
  const { fieldsCopied, promotedAt, position, ...promoted } = await command(gateway, request, promoteAgent, {
    sandboxAgentId,
    liveAgentId,
    orgId,
    actor,
  });
  await untilReadable(gateway, request, position);
  return {
    sandbox_agent_id: sandboxAgentId,
    real_agent_id: promoted.liveAgentId,
    fields_copied: fieldsCopied.map(snakeCase),
    promoted_at: promotedAt,
  };
});
