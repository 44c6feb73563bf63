import { revokeSandboxKey as revoke, revokeSandboxKeyRoute } from '@agent-trust/contracts';
import { authenticateOrganisation, presentedKeyHash } from '../../http/caller/organisation.ts';
import { heldCredentials } from '../../http/caller/held-credentials.ts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const revokeSandboxKey: Endpoint = endpoint(revokeSandboxKeyRoute, async ({ request }, gateway) => {
  const { orgId } = await authenticateOrganisation(gateway, request, 'revokeSandboxKey');
  const { orgName, revokedAt, position } = await command(gateway, request, revoke, {
    orgId,
    presentedKeyHash: presentedKeyHash(request),
    actor: { kind: 'organisation', id: orgId, credentials: heldCredentials(request) },
  });
  // Until then some gateway may still accept the key.
  await untilReadable(gateway, request, position);
  return { org_name: orgName, revoked_at: revokedAt };
});
