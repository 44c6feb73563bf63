import { describe, expect, test } from 'vitest';
import { BadPolicyError, parsePolicyV1 } from './parse-policy.ts';
import { canonicalPolicy, policyV1, priorOf } from './trust-policy.ts';

const { constants } = policyV1;
const other = (overrides: object = {}): unknown => ({
  name: 'stricter',
  formula: 'v1',
  constants,
  priors: null,
  ...overrides,
});

describe('parsePolicy', () => {
  test('returns the built-in policy for equal constants, and any other one unchanged and frozen', () => {
    expect(parsePolicyV1(JSON.parse(JSON.stringify(policyV1)))).toBe(policyV1);
    const policy = parsePolicyV1(other({ priors: { verified: 60, unverified: 30 } }));
    expect(policy).toEqual({ name: 'stricter', formula: 'v1', constants, priors: { verified: 60, unverified: 30 } });
    expect(() => Object.assign(policy.constants, { strength: 1 })).toThrow(TypeError);
    expect(() => Object.assign(policyV1.constants, { strength: 1 })).toThrow(TypeError);
  });

  test.each([
    ['no object', 'v1', /^policy: /],
    ['a name with a space', other({ name: 'my policy' }), /^name: must be 1 to 64 of/],
    ['an empty name', other({ name: '' }), /^name: /],
    ['a formula that nobody knows', other({ formula: 'v9' }), /^formula: /],
    ['a misspelt constant', other({ constants: { ...constants, halfLife: 30 } }), /^constants: .*halfLife/],
    ['a constant left out', other({ constants: { ...constants, strength: undefined } }), /^constants\.strength: /],
    ['a member that is none', other({ comment: 'x' }), /^policy: .*comment/],
    ['no strength', other({ constants: { ...constants, strength: 0 } }), /^constants\.strength: /],
    ['a share above 1', other({ constants: { ...constants, rootShareMax: 1.01 } }), /^constants\.rootShareMax: /],
    ['a broken count', other({ constants: { ...constants, recentPerRootMax: 2.5 } }), /^constants\.recentPerRootMax: /],
    ['infinity', other({ constants: { ...constants, halfLifeDays: Number.POSITIVE_INFINITY } }), /halfLifeDays: /],
    ['a prior above 100', other({ priors: { verified: 101, unverified: 40 } }), /^priors\.verified: /],
    [
      'a released name',
      other({ name: 'v1', constants: { ...constants, strength: 6 } }),
      /^name: v1 is .* never changes/,
    ],
  ])('refuses %s and reports the place', (_name, json, fault) => {
    expect(() => parsePolicyV1(json)).toThrow(BadPolicyError);
    expect(() => parsePolicyV1(json)).toThrow(fault);
  });

  test('reports every fault, each on a line without control characters', () => {
    const bad = other({ name: '', constants: { ...constants, strength: -1, '\u001b[2J': 1 } });
    let message = '';
    try {
      parsePolicyV1(bad);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.split('\n')).toHaveLength(3);
    expect(message.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('canonicalPolicy', () => {
  test('does not depend on the order of members, and differs for another constant', () => {
    const shuffled = parsePolicyV1({
      priors: null,
      constants: Object.fromEntries(Object.entries(constants).toReversed()),
      formula: 'v1',
      name: 'stricter',
    });
    expect(canonicalPolicy(shuffled)).toBe(canonicalPolicy(parsePolicyV1(other())));
    expect(canonicalPolicy(policyV1)).not.toBe(canonicalPolicy(shuffled));
    expect(canonicalPolicy(policyV1)).toBe(
      '{"constants":{"badBelow":0.5,"badWeight":1.5,"failureFactor":0.3,"fastFallPoints":10,"halfLifeDays":90,"recentAgeDaysMax":90,"recentPerRootMax":3,"rootShareMax":0.2,"strength":5,"weightMin":0.000001},"formula":"v1","name":"v1","priors":null}',
    );
  });
});

describe('priorOf', () => {
  test("is the recorded prior, unless the policy sets it by the agent's standing", () => {
    const own = parsePolicyV1(other({ priors: { verified: 60, unverified: 30 } }));
    expect(priorOf(policyV1, { verified: true, trustPrior: 71 })).toBe(71);
    expect(priorOf(own, { verified: true, trustPrior: 75 })).toBe(60);
    expect(priorOf(own, { verified: false, trustPrior: 40 })).toBe(30);
  });
});
