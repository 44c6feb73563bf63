import { authenticateOrgKey, listOrganisationKeys, type Universe } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organisationEvent } from '../../../testing/made-changes.ts';
import { type MadeEvent, organisationCreated, production, sha256 } from '../../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../../testing/service-fixture.ts';

let fixture: ServiceFixture;
let position = '0';
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const ask = { timeoutMs: 5_000 };
const record = async (...events: MadeEvent[]): Promise<void> => {
  position = await fixture.record(...events);
  // A list of keys does not wait.
  await fixture.untilVisible(position);
};
const whose = async (key: string, withNamedKeys = true) => {
  const asked = { keyHash: sha256(key), withNamedKeys, atLeast: position };
  return (await fixture.gateway.request(authenticateOrgKey, asked, ask)).organisation;
};
const list = async (orgId: string, universe: Universe, now = at(10)) =>
  (await fixture.gateway.request(listOrganisationKeys, { orgId, universe, now, limit: 10 }, ask)).keys;

const created = (orgId: string, keyId: string, secret: string, changes: object = {}): MadeEvent =>
  organisationEvent('OrganisationKeyCreated', {
    orgId,
    keyId,
    universe: 'production',
    name: keyId,
    scopes: ['register', 'read'],
    keyHash: sha256(secret),
    createdAt: at(1),
    expiresAt: at(60),
    ...changes,
  });
const replaced = (orgId: string, keyId: string, secret: string, minute: number): MadeEvent =>
  organisationEvent('OrganisationKeyReplaced', {
    orgId,
    keyId,
    keyHash: sha256(secret),
    replacedAt: at(minute),
    expiresAt: at(90),
    formerEndsAt: at(minute + 5),
  });

beforeAll(async () => {
  fixture = await createServiceFixture();
  await record(organisationCreated('acme', at(0)), organisationCreated('rival', at(0)));
});
afterAll(() => fixture.close());

describe('a named key', () => {
  it('opens the universe that it is of, with its scopes, for readers that know of scopes', async () => {
    await record(created('acme', 'live', 'live 1'), created('acme', 'draft', 'draft 1', { universe: 'sandbox' }));
    expect(await whose('live 1')).toEqual({
      orgId: 'acme',
      orgName: expect.any(String),
      universe: production,
      isDisabled: false,
      namedKey: { keyId: 'live', name: 'live', scopes: ['register', 'read'], expiresAt: at(60) },
    });
    expect(await whose('draft 1')).toMatchObject({
      universe: { kind: 'sandbox', orgId: 'acme' },
      namedKey: { keyId: 'draft' },
    });
    // A gateway from before there were scopes would take it for a key that may do everything.
    expect(await whose('live 1', false)).toBeNull();
    expect(await whose('acme production', false)).toMatchObject({ orgId: 'acme', namedKey: null });
    expect(await whose('acme production')).toMatchObject({ orgId: 'acme', namedKey: null });
  });

  it('has its former secret until the overlap ends, and none from before that', async () => {
    await record(created('acme', 'turned', 'turned 1'), replaced('acme', 'turned', 'turned 2', 10));
    expect((await whose('turned 1'))?.namedKey).toMatchObject({ keyId: 'turned', expiresAt: at(15) });
    expect((await whose('turned 2'))?.namedKey).toMatchObject({ keyId: 'turned', expiresAt: at(90) });
    await record(replaced('acme', 'turned', 'turned 3', 11));
    expect(await whose('turned 1')).toBeNull();
    expect((await whose('turned 2'))?.namedKey?.expiresAt).toBe(at(16));
    expect((await whose('turned 3'))?.namedKey?.expiresAt).toBe(at(90));
  });

  it('fails with each of its secrets once it is revoked', async () => {
    await record(created('acme', 'gone', 'gone 1'), replaced('acme', 'gone', 'gone 2', 10));
    await record(organisationEvent('OrganisationKeyRevoked', { orgId: 'acme', keyId: 'gone', revokedAt: at(11) }));
    expect(await Promise.all([whose('gone 1'), whose('gone 2')])).toEqual([null, null]);
  });

  it('opens nothing if another organisation has a key of the same hash', async () => {
    await record(created('acme', 'same', 'same'), created('rival', 'same', 'same'));
    expect(await whose('same')).toBeNull();
    await record(created('rival', 'copy', 'acme sandbox'));
    expect(await whose('acme sandbox')).toBeNull();
  });

  it('fails after the operator replaced the keys of its organisation, and no other one does', async () => {
    await record(created('rival', 'before', 'before'), created('acme', 'other', 'other'));
    const keys = { productionKeyHash: sha256('new'), sandboxKeyHash: sha256('new sandbox') };
    const reissued = { orgId: 'rival', ...keys, reason: 'leak', reissuedAt: at(12) };
    await record(organisationEvent('OrganisationKeysReissued', reissued));
    expect(await whose('before')).toBeNull();
    expect(await whose('other')).not.toBeNull();
    await record(created('rival', 'after', 'after', { createdAt: at(13) }));
    expect(await whose('after')).not.toBeNull();
    expect((await list('rival', production)).map(({ keyId, revokedAt }) => [keyId, revokedAt])).toEqual([
      ['after', null],
      ['before', at(12)],
      ['copy', at(12)],
      ['same', at(12)],
    ]);
  });
});

it('keys are listed by universe: those that work first, each part newest first, without a hash', async () => {
  const orgId = 'lister';
  await record(
    organisationCreated(orgId, at(0)),
    created(orgId, 'old', 'l1'),
    created(orgId, 'new', 'l2', { createdAt: at(3) }),
    created(orgId, 'expired', 'l3', { createdAt: at(4), expiresAt: at(5) }),
    created(orgId, 'draft', 'l4', { universe: 'sandbox' }),
    replaced(orgId, 'old', 'l5', 6),
  );
  // A list does not wait for what was recorded last.
  await whose('l5');
  const keys = await list(orgId, production);
  expect(keys.map(({ keyId }) => keyId)).toEqual(['new', 'old', 'expired']);
  expect(keys[1]).toEqual({
    keyId: 'old',
    name: 'old',
    scopes: ['register', 'read'],
    createdAt: at(1),
    replacedAt: at(6),
    expiresAt: at(90),
    formerKeyEndsAt: at(11),
    revokedAt: null,
  });
  expect((await list(orgId, production, at(2))).map(({ keyId }) => keyId)).toEqual(['expired', 'new', 'old']);
  expect((await list(orgId, { kind: 'sandbox', orgId })).map(({ keyId }) => keyId)).toEqual(['draft']);
});
