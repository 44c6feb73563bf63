import { describe, expect, it } from 'vitest';
import { queryOf, readAuditSearch } from './search.ts';

describe('the address of the audit page', () => {
  const search = readAuditSearch({ agent_id: 'shop', org: 'Acme', type: 'KeyRotated', before: '12', position: 'x' });

  it('keeps positions that are ones', () => {
    expect([search.before, search.position]).toEqual(['12', undefined]);
  });

  it('takes kinds with a space after each comma, as people write them', () => {
    const kinds = (type: string) => queryOf(readAuditSearch({ type }), true).type;
    expect(['KeyRotated, AgentRetired', ' KeyRotated ,,', 'KeyRotated', ' , '].map(kinds)).toEqual([
      'KeyRotated,AgentRetired',
      'KeyRotated',
      'KeyRotated',
      undefined,
    ]);
  });

  it('asks an operator’s question with all filters, an owner’s without those of the whole log', () => {
    expect(queryOf(search, true)).toEqual({ agent_id: 'shop', org: 'Acme', type: 'KeyRotated', before: '12' });
    expect(queryOf(search, false)).toEqual({ type: 'KeyRotated', before: '12' });
  });
});
