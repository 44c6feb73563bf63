import { createKeyRoute, createOrganisation } from '@agent-trust/contracts';
import { command } from '../../bus/ask.ts';
import { issuedAnyway } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { sha256Hex } from '../../credentials/hash.ts';
import { mintKey } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const createKey: Endpoint = endpoint(createKeyRoute, async ({ body, actor, request }, gateway) => {
  const keys = { api_key: mintKey('organisation'), sandbox_api_key: mintKey('organisationSandbox') };
  const { orgName, createdAt, position } = await command(gateway, request, createOrganisation, {
    orgName: body.org_name,
    contactEmail: body.contact_email,
    productionKeyHash: sha256Hex(keys.api_key),
    sandboxKeyHash: sha256Hex(keys.sandbox_api_key),
    actor,
  }).catch(
    issuedAnyway(
      keys,
      'it is not known whether the organisation was created: if its name is taken now, these are its keys',
    ),
  );
  await untilReadable(gateway, request, position, keys);
  return { ...keys, org_name: orgName, created_at: createdAt };
});
