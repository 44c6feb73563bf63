import type { TrustPolicy } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { draftOf, fieldsOf, policyOf } from './policy-form.ts';

const policy = {
  name: 'v1',
  formula: 'v1',
  constants: { strength: 5, recentPerRootMax: 3 },
  priors: null,
} as unknown as TrustPolicy;

describe('the form of a policy', () => {
  it('is made from the schema', () => {
    const number = { type: 'number', minimum: 0.1, maximum: 1_000, description: 'K' };
    const schema = {
      properties: {
        constants: { properties: { strength: number, recentPerRootMax: { type: 'integer', minimum: 1 } } },
      },
    };
    expect(fieldsOf(schema)).toEqual([
      { name: 'strength', min: 0.1, max: 1_000, isWhole: false, hint: 'K' },
      { name: 'recentPerRootMax', min: 1, max: undefined, isWhole: true, hint: '' },
    ]);
    expect(fieldsOf({})).toEqual([]);
  });

  it('begins as a policy, under a name of its own', () => {
    const draft = draftOf(policy);
    expect(draft).toEqual({ name: 'v1-draft', constants: { strength: '5', recentPerRootMax: '3' }, priors: null });
    expect(policyOf(draft, policy)).toEqual({ ...policy, name: 'v1-draft' });
  });

  it('keeps what is no number of a policy of formula v2', () => {
    const second = {
      name: 'v2',
      formula: 'v2',
      constants: { strength: 5, unaffiliated: 'raisers', anchors: ['a'] },
      priors: null,
    } as unknown as TrustPolicy;
    const draft = draftOf(second);
    expect(draft.constants).toEqual({ strength: '5' });
    expect(policyOf({ ...draft, constants: { strength: '6' } }, second)).toEqual({
      ...second,
      name: 'v2-draft',
      constants: { strength: 6, unaffiliated: 'raisers', anchors: ['a'] },
    });
    const schema = { properties: { constants: { properties: { unaffiliated: { type: 'string' } } } } };
    expect(fieldsOf(schema)).toEqual([]);
  });

  it.each(['', 'many', 'Infinity', ' '])('sends %j as a number that the registry refuses', (text) => {
    const draft = { ...draftOf(policy), constants: { strength: text } };
    expect(policyOf(draft, policy).constants.strength).toBe(-1);
  });
});
