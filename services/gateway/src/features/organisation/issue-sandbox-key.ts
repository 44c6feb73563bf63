import { issueSandboxKey as issue, issueSandboxKeyRoute } from '@agent-trust/contracts';
import { presentedKeyHash } from '../../http/caller/caller.ts';
import { command } from '../../bus/ask.ts';
import { issuedAnyway } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { sha256Hex } from '../../credentials/hash.ts';
import { mintKey } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const issueSandboxKey: Endpoint = endpoint(issueSandboxKeyRoute, async ({ caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const sandboxKey = mintKey('organisationSandbox');
  const { orgName, createdAt, position } = await command(gateway, request, issue, {
    orgId,
    presentedKeyHash: presentedKeyHash(request),
    sandboxKeyHash: sha256Hex(sandboxKey),
    actor,
  }).catch(
    issuedAnyway(
      { sandbox_api_key: sandboxKey },
      'it is not known whether the key was issued: if there is a sandbox key now, it is this one',
    ),
  );
  const issued = { org_name: orgName, sandbox_api_key: sandboxKey, created_at: createdAt };
  await untilReadable(gateway, request, position, issued);
  return issued;
});
