import {
  createOrganisation,
  createOrganisationKey,
  organisationStream,
  replaceOrganisationKey,
  replaceProductionKey,
  revokeOrganisationKey,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshHash, organisationInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 3 });
});
afterAll(() => registry.stop());

type Created = { orgId: string; presented: string };
let names = 0;
const createOrg = async (): Promise<Created> => {
  const input = organisationInput(`Named keys ${(names += 1)}`);
  const { orgId } = await registry.ask(createOrganisation, input);
  return { orgId, presented: input.productionKeyHash };
};
const by = ({ orgId, presented }: Created) =>
  ({
    orgId,
    universe: 'production',
    presentedKeyHash: presented,
    actor: { kind: 'organisation', id: orgId },
  }) as const;
const create = (org: Created, name: string, keyId: string, keyHash = freshHash()) =>
  registry.ask(createOrganisationKey, { ...by(org), keyId, name, scopes: ['read'], keyHash, expiresAt: null });
const replace = (org: Created, key: string, keyHash = freshHash()) =>
  registry.ask(replaceOrganisationKey, { ...by(org), key, keyHash, expiresAt: null, overlapSeconds: 60 });
const revoke = (org: Created, key: string) => registry.ask(revokeOrganisationKey, { ...by(org), key });

describe("an organisation's named keys", () => {
  it('are created, replaced and revoked, each with its event, of which no field is a secret', async () => {
    const org = await createOrg();
    const [first, second] = [freshHash(), freshHash()];
    const made = await create(org, 'deploy', 'k1', first);
    const replaced = await replace(org, 'deploy', second);
    const gone = await revoke(org, 'k1');
    expect(replaced).toMatchObject({ keyId: 'k1', name: 'deploy', scopes: ['read'] });
    expect(Date.parse(replaced.formerEndsAt) - Date.parse(replaced.replacedAt)).toBe(60_000);
    // Repeated, it says what holds.
    expect(await revoke(org, 'k1')).toEqual(gone);
    const [, ...recorded] = await registry.recordedIn(organisationStream(org.orgId));
    expect(recorded.map(({ type, data }) => [type, data['keyId'], data['keyHash']])).toEqual([
      ['OrganisationKeyCreated', 'k1', first],
      ['OrganisationKeyReplaced', 'k1', second],
      ['OrganisationKeyRevoked', 'k1', undefined],
    ]);
    expect([made, replaced, gone].map(({ position }) => position)).toEqual(
      recorded.map(({ position }) => position.toString()),
    );
  });

  // Bug: two requests read the same state and both get the name. Method: many at once over three instances.
  it('have a name once, of twenty requests at once', async () => {
    const org = await createOrg();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) => registry.outcomeOf(create(org, 'deploy', `k${at}`))),
    );
    expect(outcomes.toSorted()).toEqual(['ok', ...Array(19).fill('org_key_name_taken')]);
  });

  it('are not changed with a production key that was replaced, nor with a named key', async () => {
    const org = await createOrg();
    const named = freshHash();
    await create(org, 'deploy', 'k1', named);
    const productionKeyHash = freshHash();
    const { universe: _universe, ...asked } = by(org);
    await registry.ask(replaceProductionKey, { ...asked, productionKeyHash });
    for (const presented of [org.presented, named]) {
      const stale = { ...org, presented };
      const tried = [create(stale, 'other', 'k2'), replace(stale, 'k1'), revoke(stale, 'k1')];
      expect(await Promise.all(tried.map((answer) => registry.outcomeOf(answer)))).toEqual(
        Array(3).fill('invalid_api_key'),
      );
    }
    expect(await registry.outcomeOf(revoke({ ...org, presented: productionKeyHash }, 'k1'))).toBe('ok');
  });
});
