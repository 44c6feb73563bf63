import { policyV1, TrustLedger, type TrustPolicy } from '@agent-trust/trust-policy';
import { describe, expect, it } from 'vitest';
import { policyChanges } from './policy-changes.ts';
import { crossingsOf, type Move, type PolicyComparison } from './compare-policies.ts';
import type { ExplainedMove } from './explain-moves.ts';
import { reportJson, whatIfLines } from './report.ts';

const heavier: TrustPolicy = { ...policyV1, name: 'heavier', constants: { ...policyV1.constants, strength: 20 } };
const changes = policyChanges(policyV1, heavier);

const scoreUnder = (policy: TrustPolicy): Move['before'] => {
  const ledger = new TrustLedger(policy);
  ledger.setPrior('a', 40);
  for (const root of ['a.test', 'b.test', 'c.test', 'd.test', 'e.test', 'f.test']) {
    const review = { reviewedAt: 0, reviewer: root, roots: { [root]: 1 }, trust: 90, success: true, score: 10 };
    ledger.record('a', review);
  }
  return ledger.score('a');
};
const move = (over: Partial<ExplainedMove> = {}): ExplainedMove => {
  const before = scoreUnder(policyV1);
  const after = scoreUnder(heavier);
  return {
    agentId: 'quote-bot',
    universe: 'production',
    before,
    after,
    crosses: crossingsOf(before.score, after.score),
    effects: [{ constant: 'constants.strength', points: after.unrounded - before.unrounded }],
    parts: [
      { kind: 'prior', root: null, before: 19.2, after: 31.5 },
      { kind: 'root', root: 'none', before: 10.3, after: 7.3 },
    ],
    ...over,
  };
};
const comparison = (moves: Move[]): PolicyComparison => ({ position: 9n, events: 9, agents: 3, reviews: 6, moves });
const report = (...moves: ExplainedMove[]) => ({
  from: policyV1,
  to: heavier,
  changes,
  comparison: comparison(moves),
  shown: moves,
});

describe('thresholds', () => {
  it.each([
    [70, 69, [{ threshold: 70, direction: 'falls' }]],
    [69, 70, [{ threshold: 70, direction: 'rises' }]],
    [
      49,
      70,
      [
        { threshold: 70, direction: 'rises' },
        { threshold: 50, direction: 'rises' },
      ],
    ],
    [
      70,
      49,
      [
        { threshold: 70, direction: 'falls' },
        { threshold: 50, direction: 'falls' },
      ],
    ],
    [50, 69, []],
    [50, 49, [{ threshold: 50, direction: 'falls' }]],
  ])('%i to %i', (before, after, crosses) => expect(crossingsOf(before, after)).toEqual(crosses));
});

describe('the difference between two policies', () => {
  it('is listed by constant, with both priors as one', () => {
    const priors = { verified: 80, unverified: 30 };
    const reported = policyChanges(policyV1, { ...heavier, priors });
    expect(reported.map(({ constant, before, after }) => [constant, before, after])).toEqual([
      ['constants.strength', 5, 20],
      ['priors', null, priors],
    ]);
    expect(reported.map(({ alone }) => [alone.constants.strength, alone.priors])).toEqual([
      [20, null],
      [5, priors],
    ]);
    expect(policyChanges(policyV1, policyV1)).toEqual([]);
  });
});

describe('the report of a what-if', () => {
  it('shows each mover with both scores, the thresholds and the parts', () => {
    const text = whatIfLines(report(move())).join('\n');
    expect(text).toContain('What if trust policy heavier had been in force instead of v1?');
    expect(text).toContain('Changed: constants.strength 5 → 20.');
    expect(text).toContain('1 agent would move, 0 up and 1 down; 2 would stay.');
    expect(text).toContain('Threshold 70: 0 would rise to it or above, 1 would fall below it.');
    expect(text).toMatch(/^quote-bot +71 +53 +-18 +falls below 70$/m);
    expect(text).toContain('    parts: prior 19.2 → 31.5, none (reviewers without a domain) 10.3 → 7.3');
  });

  it('says if no agent would move, and if more would than are shown', () => {
    expect(whatIfLines({ ...report(), changes: [] }).slice(-1)).toEqual(['Nobody would move.']);
    const one = move();
    const text = whatIfLines({ ...report(one), comparison: comparison([one, one, one]) }).join('\n');
    expect(text).toContain('2 more agents would move');
  });

  it("does not let a policy's name control the terminal or pass for another name", () => {
    const text = whatIfLines(report(move({ agentId: 'a\u202e\u009bb "c"' }))).join('\n');
    expect(text).toContain('"a\\u202e\\u009bb \\"c\\""');
    expect(text).not.toMatch(/[\u202e\u009b]/u);
  });

  it('is JSON for programs', () => {
    const text = JSON.stringify(reportJson(report(move())));
    expect(JSON.parse(text)).toMatchObject({
      policy: 'heavier',
      live_policy: 'v1',
      position: '9',
      moved: 1,
      down: 1,
      thresholds: [
        { threshold: 70, rise: 0, fall: 1 },
        { threshold: 50, rise: 0, fall: 0 },
      ],
      moves: [{ agent_id: 'quote-bot', change: -18, before: { trust_score: 71, basis: 'all' } }],
    });
  });
});
