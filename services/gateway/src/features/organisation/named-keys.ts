import { randomUUID } from 'node:crypto';
import {
  createOrganisationKey,
  createOrgNamedKeyRoute,
  limits,
  listOrganisationKeys,
  listOrgNamedKeysRoute,
  type OrganisationKeyView,
  organisationKeyView,
  replaceOrganisationKey,
  replaceOrgNamedKeyRoute,
  revokeOrganisationKey,
  revokeOrgNamedKeyRoute,
  toWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import { keepBothKeys, write } from '../../bus/read-your-writes.ts';
import { mintKey, sha256Hex } from '../../credentials/keys.ts';
import { type OrganisationCaller, presentedKeyHash } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

/** The organisation's own key of the request, which decides over the named keys of its universe. */
const ownKeyOf = ({ organisation: { orgId, universe } }: OrganisationCaller, request: FastifyRequest) => ({
  orgId,
  universe: universe.kind,
  presentedKeyHash: presentedKeyHash(request),
});

const mintKeyOf = ({ organisation: { universe } }: OrganisationCaller): string =>
  mintKey(universe.kind === 'production' ? 'organisation' : 'organisationSandbox');

const createKey = endpoint(createOrgNamedKeyRoute, ({ body, caller, actor, request }, gateway) => {
  const keyId = randomUUID();
  const key = mintKeyOf(caller);
  const { name, scopes, expires_at: expiresAt = null } = body;
  const own = ownKeyOf(caller, request);
  const shown = { key_id: keyId, api_key: key };
  return write(
    gateway,
    request,
    createOrganisationKey,
    { ...own, keyId, name, scopes, keyHash: sha256Hex(key), expiresAt, actor },
    (made) => ({
      ...shown,
      name,
      scopes: made.scopes,
      is_sandbox: own.universe === 'sandbox',
      created_at: made.createdAt,
      expires_at: made.expiresAt,
    }),
    {
      fields: shown,
      whileBehind: shown,
      advice: 'it is not known whether the key was created: if its name is taken now, this is the key',
    },
  );
});

const listKeys = endpoint(listOrgNamedKeysRoute, async ({ caller, request }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const now = new Date();
  const asked = { orgId, universe, now: now.toISOString(), limit: limits.orgKeysListedMax };
  const { keys } = await ask(gateway, request, listOrganisationKeys, asked);
  const lastUsed = await gateway.organisationKeyUses.lastOf(keys.map(({ keyId }) => keyId));
  return keys.map((key) => ({
    ...toWire(organisationKeyView, key),
    status: statusOf(key, now.getTime()),
    last_used_at: lastUsed.get(key.keyId) ?? null,
  }));
});

const statusOf = ({ revokedAt, expiresAt }: OrganisationKeyView, now: number): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= now ? 'expired' : 'active';
};

const replaceKey = endpoint(replaceOrgNamedKeyRoute, ({ params, body, caller, actor, request }, gateway) => {
  const key = mintKeyOf(caller);
  const { overlap_seconds: overlapSeconds, expires_at: expiresAt = null } = body;
  const asked = { key: params.key_id, keyHash: sha256Hex(key), overlapSeconds, expiresAt };
  return write(
    gateway,
    request,
    replaceOrganisationKey,
    { ...ownKeyOf(caller, request), ...asked, actor },
    (made) => ({
      key_id: made.keyId,
      name: made.name,
      scopes: made.scopes,
      api_key: key,
      replaced_at: made.replacedAt,
      expires_at: made.expiresAt,
      former_key_ends_at: made.formerEndsAt,
    }),
    { fields: { api_key: key }, whileBehind: { api_key: key }, advice: keepBothKeys },
  );
});

const revokeKey = endpoint(revokeOrgNamedKeyRoute, ({ params, caller, actor, request }, gateway) =>
  write(
    gateway,
    request,
    revokeOrganisationKey,
    { ...ownKeyOf(caller, request), key: params.key_id, actor },
    ({ keyId, name, revokedAt }) => ({ key_id: keyId, name, status: 'revoked', revoked_at: revokedAt }),
  ),
);

export const organisationNamedKeyEndpoints: readonly Endpoint[] = [createKey, listKeys, replaceKey, revokeKey];
