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
import { command } from '../../bus/ask.ts';
import { issuedAnyway, keepBothKeys, untilReadable } from '../../bus/read-your-writes.ts';
import { sha256Hex, mintKey } from '../../credentials/keys.ts';
import { presentedKeyHash } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const createKey = endpoint(createKeyRoute, async ({ body, actor, request }, gateway) => {
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

const replaceKey = endpoint(replaceOrgKeyRoute, async ({ caller, actor, request }, gateway) => {
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

const issueSandboxKey = endpoint(issueSandboxKeyRoute, async ({ caller, actor, request }, gateway) => {
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

const revokeSandboxKey = endpoint(revokeSandboxKeyRoute, async ({ caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { orgName, revokedAt, position } = await command(gateway, request, revoke, {
    orgId,
    presentedKeyHash: presentedKeyHash(request),
    actor,
  });
  // Until then some gateway may still accept the key.
  await untilReadable(gateway, request, position);
  return { org_name: orgName, revoked_at: revokedAt };
});

export const organisationKeyEndpoints: readonly Endpoint[] = [createKey, replaceKey, issueSandboxKey, revokeSandboxKey];
