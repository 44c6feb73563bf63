import { expect, it } from 'vitest';
import { eventDefinitions } from './events.ts';
import { isAgentProperty } from './event.ts';

const keyNames = /hash|salt|contact|keyId/iu;

it('no event shows an owner a hash, a contact or the id of an organisation', () => {
  for (const { type, shownToOwner } of eventDefinitions) {
    for (const name of shownToOwner) expect([type, name]).not.toEqual([type, expect.stringMatching(keyNames)]);
    expect(shownToOwner).not.toContain('orgId');
  }
});

it('exactly the events that name an agent declare what its owner sees of them', () => {
  for (const { type, schema, shownToOwner } of eventDefinitions) {
    const namesAgent = Object.keys(schema.shape).some(isAgentProperty);
    expect([type, shownToOwner.some(isAgentProperty)]).toEqual([type, namesAgent]);
  }
});

it('exactly the events with hashes of keys, and those after which keys fail or work again, say whose keys they change', () => {
  const changing = eventDefinitions.flatMap(({ type, schema, keysOf }) => {
    const hashes = Object.keys(schema.shape).filter((name) => /keyHash/iu.test(name));
    expect([type, hashes]).toEqual([type, keysOf?.keyHashes ?? []]);
    if (keysOf === null) return [];
    expect(Object.keys(schema.shape)).toContain(keysOf.owner);
    return [type];
  });
  expect(changing).toEqual([
    'KeyRotated',
    'OrganisationCreated',
    'SandboxKeyIssued',
    'SandboxKeyRevoked',
    'ProductionKeyReplaced',
    'OrganisationDisabled',
    'OrganisationEnabled',
    'OrganisationKeysReissued',
    'OrganisationKeyCreated',
    'OrganisationKeyReplaced',
    'OrganisationKeyRevoked',
    'OrganisationLimitsSet',
    'OperatorKeyCreated',
    'OperatorKeyRevoked',
  ]);
});
