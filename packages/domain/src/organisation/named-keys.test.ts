import { limits, type OrganisationEvent, type UniverseKind } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { givenFor, organisationCreated, someHash } from '../testing/index.ts';
import { organisationDecider } from './decider.ts';
import type { NamedKeyCommand } from './named-keys.ts';

type Create = Extract<NamedKeyCommand, { type: 'CreateOrganisationKey' }>;
type Replace = Extract<NamedKeyCommand, { type: 'ReplaceOrganisationKey' }>;

const given = givenFor(organisationDecider);
const organisation = organisationCreated();
const { orgId, productionKeyHash } = organisation.data;
const sandboxKeyHash = organisation.data.sandboxKeyHash;
const now = '2026-01-01T00:00:00.000Z';
const after = (seconds: number): string => new Date(Date.parse(now) + seconds * 1_000).toISOString();
const day = 86_400;
const own = { universe: 'production', presentedKeyHash: productionKeyHash, now } as const;

const create = (changes: Partial<Create> = {}): Create => ({
  ...own,
  type: 'CreateOrganisationKey',
  keyId: 'k1',
  name: 'deploy',
  scopes: ['read'],
  keyHash: someHash(21),
  expiresAt: after(30 * day),
  ...changes,
});
const replace = (changes: Partial<Replace> = {}): Replace => ({
  ...own,
  type: 'ReplaceOrganisationKey',
  key: 'k1',
  keyHash: someHash(22),
  expiresAt: null,
  overlapSeconds: 60,
  ...changes,
});
const revoke = (key = 'k1', universe: UniverseKind = 'production'): NamedKeyCommand => ({
  ...own,
  universe,
  presentedKeyHash: universe === 'production' ? productionKeyHash : sandboxKeyHash,
  type: 'RevokeOrganisationKey',
  key,
});
const created = (changes: object = {}): OrganisationEvent => ({
  type: 'OrganisationKeyCreated',
  data: {
    orgId,
    keyId: 'k1',
    universe: 'production',
    name: 'deploy',
    scopes: ['read'],
    keyHash: someHash(21),
    createdAt: now,
    expiresAt: after(30 * day),
    ...changes,
  },
});
const replaced = (changes: object = {}): OrganisationEvent => ({
  type: 'OrganisationKeyReplaced',
  data: {
    orgId,
    keyId: 'k1',
    keyHash: someHash(22),
    replacedAt: now,
    expiresAt: after(30 * day),
    formerEndsAt: after(60),
    ...changes,
  },
});
const revoked = (keyId = 'k1'): OrganisationEvent => ({
  type: 'OrganisationKeyRevoked',
  data: { orgId, keyId, revokedAt: now },
});
const disabled: OrganisationEvent = {
  type: 'OrganisationDisabled',
  data: { orgId, reason: 'abuse', disabledAt: now },
};
const reissued: OrganisationEvent = {
  type: 'OrganisationKeysReissued',
  data: {
    orgId,
    productionKeyHash: someHash(31),
    sandboxKeyHash: someHash(32),
    reason: 'leak',
    reissuedAt: now,
  },
};

describe('a named key', () => {
  it('has a name that no other key of its universe has while it works', () => {
    given([organisation]).when(create()).then([created()]);
    given([organisation, created()])
      .when(create({ keyId: 'k2', keyHash: someHash(23) }))
      .thenRefused('org_key_name_taken');
    const inSandbox = { universe: 'sandbox', presentedKeyHash: sandboxKeyHash } as const;
    given([organisation, created()])
      .when(create({ ...inSandbox, keyId: 'k2', keyHash: someHash(23) }))
      .then([created({ universe: 'sandbox', keyId: 'k2', keyHash: someHash(23) })]);
    for (const ended of [[created(), revoked()], [created({ expiresAt: now })], [created(), reissued]]) {
      const presentedKeyHash = ended.includes(reissued) ? someHash(31) : productionKeyHash;
      given([organisation, ...ended])
        .when(create({ presentedKeyHash, keyId: 'k2', keyHash: someHash(23) }))
        .then([created({ keyId: 'k2', keyHash: someHash(23) })]);
    }
  });

  it('has each scope once, in one order', () => {
    given([organisation])
      .when(create({ scopes: ['webhooks', 'register', 'webhooks'] }))
      .then([created({ scopes: ['register', 'webhooks'] })]);
  });

  it('always expires: by default, when asked, and never later than the longest lifetime', () => {
    given([organisation])
      .when(create({ expiresAt: null }))
      .then([created({ expiresAt: after(limits.orgKeyDaysDefault * day) })]);
    const longest = after(limits.orgKeyDaysMax * day);
    given([organisation])
      .when(create({ expiresAt: longest }))
      .then([created({ expiresAt: longest })]);
    for (const expiresAt of [after(limits.orgKeyDaysMax * day + 1), now, after(-1)]) {
      const refusals = [
        given([organisation]).when(create({ expiresAt })),
        // What is wrong with the request comes before what stands against it.
        given([organisation, created()]).when(create({ keyId: 'k2', keyHash: someHash(23), expiresAt })),
        given([organisation, created()]).when(replace({ expiresAt })),
      ].map((tried) => tried.thenRefused('validation_failed'));
      for (const { items } of refusals)
        expect(items).toMatchObject([{ loc: ['body', 'expires_at'], type: 'value_error' }]);
    }
  });

  it('is one of a limited number of those that work in its universe', () => {
    const many = Array.from({ length: limits.orgKeysMax }, (_, at) =>
      created({ keyId: `k${at}`, name: `n${at}`, keyHash: someHash(100 + at) }),
    );
    given([organisation, ...many])
      .when(create())
      .thenRefused('org_key_limit_reached');
    given([organisation, ...many])
      .when(create({ universe: 'sandbox', presentedKeyHash: sandboxKeyHash }))
      .then([created({ universe: 'sandbox' })]);
    given([organisation, ...many, revoked('k0')])
      .when(create())
      .then([created()]);
  });

  it('is made by the own key of its universe alone, of an organisation that is not disabled', () => {
    for (const presentedKeyHash of [sandboxKeyHash, someHash(21), someHash(99)]) {
      for (const command of [create({ presentedKeyHash, keyHash: someHash(23) }), replace({ presentedKeyHash })]) {
        given([organisation, created()]).when(command).thenRefused('invalid_api_key');
      }
    }
    for (const command of [create(), replace(), revoke()]) {
      given([]).when(command).thenRefused('invalid_api_key');
      given([organisation, disabled]).when(command).thenRefused('organisation_disabled');
    }
    const withoutSandboxKey: OrganisationEvent = { type: 'SandboxKeyRevoked', data: { orgId, revokedAt: now } };
    given([organisation, withoutSandboxKey]).when(revoke('k1', 'sandbox')).thenRefused('invalid_api_key');
  });

  it('has no secret that the organisation has already', () => {
    for (const keyHash of [productionKeyHash, sandboxKeyHash, someHash(21)]) {
      for (const command of [create({ keyHash, keyId: 'k2', name: 'other' }), replace({ keyHash })]) {
        expect(() => given([organisation, created()]).when(command).thenNothing()).toThrow(/same as one/u);
      }
    }
  });
});

describe('a replaced secret', () => {
  it('works until the overlap ends, and no longer than it would have', () => {
    given([organisation, created()]).when(replace()).then([replaced()]);
    given([organisation, created()])
      .when(replace({ overlapSeconds: 0 }))
      .then([replaced({ formerEndsAt: now })]);
    given([organisation, created({ createdAt: after(-day), expiresAt: after(30) })])
      .when(replace({ expiresAt: after(day) }))
      .then([replaced({ formerEndsAt: after(30), expiresAt: after(day) })]);
    // Its key shows as expired then, and another one may have its name.
    given([organisation, created()])
      .when(replace({ expiresAt: after(30) }))
      .then([replaced({ formerEndsAt: after(30), expiresAt: after(30) })]);
  });

  it('is followed by one that lives as long, unless another end is asked for', () => {
    given([organisation, created({ createdAt: after(-10 * day), expiresAt: after(5 * day) })])
      .when(replace({ key: 'deploy' }))
      .then([replaced({ expiresAt: after(15 * day) })]);
    given([organisation, created(), replaced({ replacedAt: after(-day), expiresAt: after(day) })])
      .when(replace({ keyHash: someHash(24) }))
      .then([replaced({ keyHash: someHash(24), expiresAt: after(2 * day) })]);
  });

  it('is one of a key that works, of the universe of the own key', () => {
    for (const ended of [[created(), revoked()], [created({ expiresAt: now })]]) {
      given([organisation, ...ended])
        .when(replace())
        .thenRefused('org_key_ended');
    }
    given([organisation, created()])
      .when(replace({ key: 'k2' }))
      .thenRefused('org_key_not_found');
    given([organisation, created({ universe: 'sandbox' })])
      .when(replace())
      .thenRefused('org_key_not_found');
  });
});

describe('a revoked key', () => {
  it('is revoked once, by its id or its name, in its universe', () => {
    for (const key of ['k1', 'deploy']) {
      given([organisation, created()]).when(revoke(key)).then([revoked()]);
      given([organisation, created(), revoked()]).when(revoke(key)).thenNothing();
      given([organisation, created()]).when(revoke(key, 'sandbox')).thenRefused('org_key_not_found');
    }
    given([organisation]).when(revoke()).thenRefused('org_key_not_found');
  });

  it('by its name is the one that is not revoked', () => {
    given([organisation, created(), revoked(), created({ keyId: 'k2' })])
      .when(revoke('deploy'))
      .then([revoked('k2')]);
  });
});
