import { policyV1 } from '@agent-trust/trust-policy';
import { beforeEach, describe, expect, test } from 'vitest';
import { perfect, worst } from './market.ts';
import { type Scoring, scoringByPolicy } from './scoring/scoring.ts';
import { rootsSwitchedOff } from './scoring/controls.ts';
import { SimulatedRegistry } from './simulated-registry.ts';

let frozen: Record<string, number>[];
let registry: SimulatedRegistry;

/** Records the roots of reviewers as their reviews freeze them. */
const watched = (scoring: Scoring): Scoring => ({
  ...scoring,
  record: (agent, review) => {
    frozen.push(review.roots);
    scoring.record(agent, review);
  },
});

const start = (scoring: Scoring): void => {
  frozen = [];
  registry = new SimulatedRegistry(watched(scoring));
  for (const org of ['a', 'b', 'c']) {
    registry.register(`${org}1`, { orgId: org, orgDomain: `${org}.test` });
    registry.register(`${org}2`, { orgId: org, orgDomain: `${org}.test` });
  }
  registry.register('nobody');
};

describe('simulated registry', () => {
  beforeEach(() => start(scoringByPolicy(policyV1)));

  test('starts agents like the registry', () => {
    expect([registry.score('a1'), registry.score('nobody')]).toEqual([75, 40]);
  });

  test('refuses what the registry refuses, and a refusal moves no score', () => {
    expect(registry.review('nobody', 'a1', worst)).toBe(false);
    expect(registry.review('a1', 'a2', perfect)).toBe(false);
    expect(registry.review('a1', 'a1', perfect)).toBe(false);
    expect(['caller_trust_too_low', 'same_org_domain', 'self_review'].map((code) => registry.refused(code))).toEqual([
      1, 1, 1,
    ]);
    expect([registry.accepted, registry.score('a1'), registry.score('a2')]).toEqual([0, 75, 75]);
    expect(registry.review('a1', 'b1', perfect)).toBe(true);
    expect([registry.accepted, registry.score('b1')]).toEqual([1, 78]);
  });

  test('a reviewer without an organisation passes on the roots that raised it', () => {
    for (const reviewer of ['a1', 'b1'])
      for (let time = 0; time < 9; time += 1) registry.review(reviewer, 'nobody', perfect);
    registry.review('c1', 'nobody', { success: true, score: 2 });
    expect(registry.review('nobody', 'c2', perfect)).toBe(true);
    expect(Object.keys(frozen.at(-1) ?? {})).toEqual(['a.test', 'b.test']);
  });

  test('with roots switched off it is a root itself, and organisations are unaffected', () => {
    start(rootsSwitchedOff(policyV1));
    for (const reviewer of ['a1', 'b1'])
      for (let time = 0; time < 9; time += 1) registry.review(reviewer, 'nobody', perfect);
    expect(frozen.at(-1)).toEqual({ 'b.test': 1 });
    registry.review('nobody', 'c2', perfect);
    expect(frozen.at(-1)).toEqual({ 'agent:nobody': 1 });
  });

  test('an unknown agent is an error of the scenario', () => {
    expect(() => registry.review('ghost', 'a1', perfect)).toThrow(/ghost is not registered/);
  });
});
