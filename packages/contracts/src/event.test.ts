import { expect, it } from 'vitest';
import { eventDefinitions } from './events.ts';
import { isAgentProperty } from './event.ts';

const keyNames = /hash|salt|contact|keyId/iu;

it('no event shows an owner a hash, a contact or an id of an organisation', () => {
  for (const { type, shownToOwner } of eventDefinitions) {
    for (const name of shownToOwner) expect([type, name]).not.toEqual([type, expect.stringMatching(keyNames)]);
    expect(shownToOwner).not.toContain('orgId');
  }
});

it('every event that names an agent says what its owner sees of it, and no other does', () => {
  for (const { type, schema, shownToOwner } of eventDefinitions) {
    const namesAgent = Object.keys(schema.shape).some(isAgentProperty);
    expect([type, shownToOwner.some(isAgentProperty)]).toEqual([type, namesAgent]);
  }
});
