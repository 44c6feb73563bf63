import { replaceOrgKeyRoute, replaceProductionKey } from '@agent-trust/contracts';
import { presentedKeyHash } from '../../http/caller/caller.ts';
import { command } from '../../bus/ask.ts';
import { issuedAnyway, keepBothKeys } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { sha256Hex } from '../../credentials/hash.ts';
import { mintKey } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const replaceKey: Endpoint = endpoint(replaceOrgKeyRoute, async ({ caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const key = mintKey('organisation');
  const { orgName, replacedAt, position } = await command(gateway, request, replaceProductionKey, {
    orgId,
    presentedKeyHash: presentedKeyHash(request),
    productionKeyHash: sha256Hex(key),
    actor,
  }).catch(issuedAnyway({ api_key: key }, keepBothKeys));
  const replaced = { org_name: orgName, api_key: key, created_at: replacedAt };
  // Until then some gateway may still accept the old key.
  await untilReadable(gateway, request, position, replaced);
  return replaced;
});
