import {
  createKeyRoute,
  createOrganisation,
  issueSandboxKey as issue,
  issueSandboxKeyRoute,
  replaceOrgKeyRoute,
  replaceProductionKey,
  revokeSandboxKey as revoke,
  revokeSandboxKeyRoute,
} from '@agent-trust/contracts';
import { keepBothKeys, write } from '../../bus/read-your-writes.ts';
import { mintKey, mintOrganisationKeys, sha256Hex } from '../../credentials/keys.ts';
import { presentedKeyHash } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const createKey = endpoint(createKeyRoute, ({ body, actor, request }, gateway) => {
  const { keys, hashes } = mintOrganisationKeys();
  const organisation = { orgName: body.org_name, contactEmail: body.contact_email, ...hashes, actor };
  return write(
    gateway,
    request,
    createOrganisation,
    organisation,
    ({ orgName, createdAt }) => ({ ...keys, org_name: orgName, created_at: createdAt }),
    {
      fields: keys,
      whileBehind: keys,
      advice: 'it is not known whether the organisation was created: if its name is taken now, these are its keys',
    },
  );
});

const replaceKey = endpoint(replaceOrgKeyRoute, ({ caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const key = mintKey('organisation');
  return write(
    gateway,
    request,
    replaceProductionKey,
    { orgId, presentedKeyHash: presentedKeyHash(request), productionKeyHash: sha256Hex(key), actor },
    ({ orgName, replacedAt }) => ({ org_name: orgName, api_key: key, created_at: replacedAt }),
    { fields: { api_key: key }, advice: keepBothKeys },
  );
});

const issueSandboxKey = endpoint(issueSandboxKeyRoute, ({ caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const key = mintKey('organisationSandbox');
  return write(
    gateway,
    request,
    issue,
    { orgId, presentedKeyHash: presentedKeyHash(request), sandboxKeyHash: sha256Hex(key), actor },
    ({ orgName, createdAt }) => ({ org_name: orgName, sandbox_api_key: key, created_at: createdAt }),
    {
      fields: { sandbox_api_key: key },
      advice: 'it is not known whether the key was issued: if there is a sandbox key now, it is this one',
    },
  );
});

const revokeSandboxKey = endpoint(revokeSandboxKeyRoute, ({ caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const input = { orgId, presentedKeyHash: presentedKeyHash(request), actor };
  return write(gateway, request, revoke, input, ({ orgName, revokedAt }) => ({
    org_name: orgName,
    revoked_at: revokedAt,
  }));
});

export const organisationKeyEndpoints: readonly Endpoint[] = [createKey, replaceKey, issueSandboxKey, revokeSandboxKey];
