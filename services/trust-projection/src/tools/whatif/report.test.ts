import { type AnyTrustPolicy, policyV1, policyV2, type TrustPolicy } from '@agent-trust/trust-policy';
import { describe, expect, it } from 'vitest';
import { changedParts } from './changed-parts.ts';
import { crossingsOf, type ExplainedMove, type PolicyComparison } from './compare-policies.ts';
import { policyChanges } from './policy-changes.ts';
import { reportJson, whatIfLines } from './report.ts';
import type { ExplainedScore, ScorePart } from './scores-under.ts';
import type { Effect } from './single-effects.ts';

const heavier: TrustPolicy = { ...policyV1, name: 'heavier', constants: { ...policyV1.constants, strength: 20 } };
const changes = policyChanges(policyV1, heavier);

const part = (
  kind: ScorePart['kind'],
  root: string | null,
  points: number,
  more: Partial<ScorePart> = {},
): ScorePart => ({
  kind,
  root,
  points,
  cap: kind === 'root' ? 0.2 : null,
  isCut: false,
  established: null,
  ...more,
});
const score = (parts: ScorePart[], organisation: ExplainedScore['organisation'] = null): ExplainedScore => {
  const unrounded = parts.reduce((sum, { points }) => sum + points, 0);
  return { score: Math.round(unrounded), unrounded, basis: 'all', parts, organisation };
};
const move = (over: Partial<ExplainedMove> = {}): ExplainedMove => {
  const { before, after } = {
    before: score([part('prior', null, 19.2), part('root', 'none', 10.3), part('root', 'a.test', 41.5)]),
    after: score([part('prior', null, 31.5), part('root', 'none', 7.3), part('root', 'a.test', 14.2)]),
    ...over,
  };
  return {
    agentId: 'quote-bot',
    universe: 'production',
    crosses: crossingsOf(before.score, after.score),
    ...over,
    before,
    after,
  };
};
const comparison = (moves: ExplainedMove[], shown = moves): PolicyComparison => ({
  position: 9n,
  events: 9,
  agents: 3,
  reviews: 6,
  hasVoided: false,
  moves,
  explained: shown,
});
const report = (...moves: ExplainedMove[]) => ({
  from: policyV1 as AnyTrustPolicy,
  to: heavier as AnyTrustPolicy,
  changes,
  comparison: comparison(moves),
  effects: new Map(
    moves.map(({ agentId }) => [agentId, [{ constant: 'constants.strength', points: -18 }] as Effect[]]),
  ),
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
    expect(reported.map(({ alone }) => [alone?.constants.strength, alone?.priors])).toEqual([
      [20, null],
      [5, priors],
    ]);
    expect(policyChanges(policyV1, policyV1)).toEqual([]);
  });

  it('has lists and words of formula v2, and between formulas the formula and what both have', () => {
    const anchored = {
      ...policyV2,
      constants: { ...policyV2.constants, anchors: ['a'], unaffiliated: 'none' as const },
    };
    expect(policyChanges(policyV2, anchored)).toMatchObject([
      { constant: 'constants.unaffiliated', before: 'raisers', after: 'none', alone: { constants: { anchors: [] } } },
      { constant: 'constants.anchors', before: [], after: ['a'], alone: { constants: { unaffiliated: 'raisers' } } },
    ]);
    expect(policyChanges(heavier, policyV2).map(({ constant, alone }) => [constant, alone])).toEqual([
      ['formula', null],
      ['constants.strength', null],
    ]);
    expect(policyChanges(policyV2, policyV1)).toEqual([
      { constant: 'formula', before: 'v2', after: 'v1', alone: null },
    ]);
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
    expect(text).toContain(
      '    parts: a.test 41.5 → 14.2, prior 19.2 → 31.5, none (reviewers without a domain) 10.3 → 7.3',
    );
  });

  it('says if no agent would move, and if more would than are shown', () => {
    expect(whatIfLines({ ...report(), changes: [] }).slice(-1)).toEqual(['Nobody would move.']);
    const one = move();
    const text = whatIfLines({ ...report(one), comparison: comparison([one, one, one], [one]) }).join('\n');
    expect(text).toContain('2 more agents would move');
  });

  it('says of formula v2 whose record, whose voice, and what a cap does to a root that is established or not', () => {
    const after = score(
      [
        part('prior', null, 46.9),
        part('record', 'globex', -12.5),
        part('third_voice', 'gamma', 4.7),
        part('root', 'newco', 9, { cap: 0.09, isCut: true, established: false }),
        part('root', 'acme', 8, { established: true }),
      ],
      { id: 'globex', record: 55 },
    );
    const before = score([part('prior', null, 46.9), part('root', 'newco', 20, { isCut: true })]);
    const moved = move({ before, after });
    expect(changedParts(moved).map(({ kind }) => kind)).toEqual(['record', 'root', 'root', 'third_voice']);
    const across = { ...report(moved), to: policyV2, changes: policyChanges(policyV1, policyV2) };
    const text = whatIfLines(across).join('\n');
    expect(text).toContain('Changed: formula v1 → v2.');
    expect(text).toContain(
      '    parts: record 55 of globex 0.0 → -12.5, newco 20.0 → 9.0 (cut at 20 % → not established, cut at 9 %), ' +
        'acme 0.0 → 8.0 (established), third voice gamma 0.0 → 4.7',
    );
    expect(text).not.toContain('alone:');
    expect(JSON.parse(JSON.stringify(reportJson(across)))).toMatchObject({
      moves: [
        {
          after: { organisation: { org_id: 'globex', record: 55 } },
          parts: [
            { kind: 'record', root: 'globex', before: 0, after: -12.5 },
            { root_before: { cap: 0.2, cut: true }, root_after: { cap: 0.09, cut: true, established: false } },
            {},
            {},
          ],
        },
      ],
    });
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
