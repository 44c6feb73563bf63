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
      { name: 'strength', hint: 'K', kind: 'number', min: 0.1, max: 1_000, isWhole: false },
      { name: 'recentPerRootMax', hint: '', kind: 'number', min: 1, max: undefined, isWhole: true },
    ]);
    expect(fieldsOf({})).toEqual([]);
  });

  it('has a choice for a few words, a list for names, and nothing for what it does not know', () => {
    const properties = {
      unaffiliated: { type: 'string', enum: ['raisers', 'none'], description: 'whose' },
      anchors: { type: 'array', items: { type: 'string' } },
      later: { type: 'object' },
    };
    expect(fieldsOf({ properties: { constants: { properties } } })).toEqual([
      { name: 'unaffiliated', hint: 'whose', kind: 'choice', words: ['raisers', 'none'] },
      { name: 'anchors', hint: '', kind: 'names' },
    ]);
  });

  it('begins as a policy, under a name of its own', () => {
    const draft = draftOf(policy);
    expect(draft).toEqual({ name: 'v1-draft', constants: { strength: '5', recentPerRootMax: '3' }, priors: null });
    expect(policyOf(draft, policy)).toEqual({ ...policy, name: 'v1-draft' });
  });

  it('has the words and names of a policy of formula v2', () => {
    const second = {
      name: 'v2',
      formula: 'v2',
      constants: { strength: 5, unaffiliated: 'raisers', anchors: ['a', 'b'] },
      priors: null,
    } as unknown as TrustPolicy;
    const draft = draftOf(second);
    expect(draft.constants).toEqual({ strength: '5', unaffiliated: 'raisers', anchors: 'a\nb' });
    expect(policyOf(draft, second)).toEqual({ ...second, name: 'v2-draft' });
    const changed = { strength: '6', unaffiliated: 'none', anchors: ' c \n\n' };
    expect(policyOf({ ...draft, constants: changed }, second).constants).toEqual({
      strength: 6,
      unaffiliated: 'none',
      anchors: ['c'],
    });
    expect(policyOf({ ...draft, constants: {} }, second).constants).toEqual(second.constants);
  });

  it.each(['', 'many', 'Infinity', ' '])('sends %j as a number that the registry refuses', (text) => {
    const draft = { ...draftOf(policy), constants: { strength: text } };
    expect(policyOf(draft, policy).constants.strength).toBe(-1);
  });
});
