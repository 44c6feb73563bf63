import { replaceOrgKeyRoute, replaceProductionKey } from '@agent-trust/contracts';
import { authenticateOrganisation, presentedKeyHash } from '../../http/caller/organisation.ts';
import { heldCredentials } from '../../http/caller/held-credentials.ts';
import { command } from '../../bus/ask.ts';
import { issuedAnyway, keepBothKeys } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { sha256Hex } from '../../credentials/hash.ts';
import { mintKey } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const replaceKey: Endpoint = endpoint(replaceOrgKeyRoute, async ({ request }, gateway) => {
  const { orgId } = await authenticateOrganisation(gateway, request, 'replaceOrgKey');
  const key = mintKey('organisation');
  const { orgName, replacedAt, position } = await command(gateway, request, replaceProductionKey, {
    orgId,
    presentedKeyHash: presentedKeyHash(request),
    productionKeyHash: sha256Hex(key),
    actor: { kind: 'organisation', id: orgId, credentials: heldCredentials(request) },
  }).catch(issuedAnyway({ api_key: key }, keepBothKeys));
  const replaced = { org_name: orgName, api_key: key, created_at: replacedAt };
  // Until then some gateway may still accept the old key.
  await untilReadable(gateway, request, position, replaced);
  return replaced;
});
