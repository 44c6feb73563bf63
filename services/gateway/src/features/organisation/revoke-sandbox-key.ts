import { revokeSandboxKey as revoke, revokeSandboxKeyRoute } from '@agent-trust/contracts';
import { presentedKeyHash } from '../../http/caller/caller.ts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const revokeSandboxKey: Endpoint = endpoint(
  revokeSandboxKeyRoute,
  async ({ caller, actor, request }, gateway) => {
    const { orgId } = caller.organisation;
    const { orgName, revokedAt, position } = await command(gateway, request, revoke, {
      orgId,
      presentedKeyHash: presentedKeyHash(request),
      actor,
    });
    // Until then some gateway may still accept the key.
    await untilReadable(gateway, request, position);
    return { org_name: orgName, revoked_at: revokedAt };
  },
);
