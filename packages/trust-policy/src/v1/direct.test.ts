import { describe, expect, test } from 'vitest';
import { policyV1 } from '../policy/trust-policy.ts';
import { DAY_MS } from './constants.ts';
import { explainDirect as explainBy, scoreDirect as scoreBy } from './direct.ts';
import { mainRoot, type Review, rootShares, splitOf } from './review.ts';
import { contributionsOf } from './trust-score.ts';

const RECENT_AGE_MS_MAX = policyV1.constants.recentAgeDaysMax * DAY_MS;
const explainDirect = (prior: number, reviews: readonly Review[]) => explainBy(prior, reviews, policyV1);
const scoreDirect = (prior: number, reviews: readonly Review[]) => scoreBy(prior, reviews, policyV1);
const START = Date.UTC(2026, 0, 1);
const review = (overrides: Partial<Review> = {}): Review => ({
  reviewedAt: START,
  reviewer: 'reviewer',
  roots: { 'a.test': 1 },
  trust: 80,
  success: true,
  score: 10,
  ...overrides,
});

describe('scoreDirect', () => {
  test('treats a clock that ran backwards as no time passed: the log orders the reviews', () => {
    const later = review({ reviewedAt: START + 30 * DAY_MS, reviewer: 'other' });
    expect(scoreDirect(75, [later, review({ score: 2 })])).toEqual(
      scoreDirect(75, [later, review({ score: 2, reviewedAt: later.reviewedAt })]),
    );
  });

  test('stays within 0–100 and equals the prior without evidence', () => {
    expect(scoreDirect(40, [])).toMatchObject({ score: 40, unrounded: 40, basis: 'all', recent: null, roots: [] });
    expect(scoreDirect(61.5, [review({ trust: 0 })])).toMatchObject({ score: 62, unrounded: 61.5, basis: 'all' });
  });

  test('has points in its explanation that add up to the score', () => {
    const score = scoreDirect(75, [review(), review({ reviewer: 'other', roots: { 'b.test': 0.5, 'c.test': 0.5 } })]);
    const lines = contributionsOf(score);
    expect(lines.map(({ kind, root }) => [kind, root])).toEqual([
      ['prior', null],
      ['root', 'a.test'],
      ['root', 'b.test'],
      ['root', 'c.test'],
    ]);
    expect(lines.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score.unrounded, 12);
  });
});

describe('explainDirect', () => {
  test('states for each review whether it counts in the score, and why not', () => {
    const good = ['g1', 'g2', 'g3', 'g4'].map((reviewer) => review({ reviewer }));
    const now = START + RECENT_AGE_MS_MAX + 1;
    const bad = ['b1', 'b2', 'b3', 'b4'].map((reviewer) =>
      review({ reviewer, success: false, score: 1, reviewedAt: now }),
    );
    const { score, reviews } = explainDirect(75, [...good, ...bad]);
    expect(score.basis).toBe('recent');
    expect(reviews.map(({ counted, reason }) => [counted, reason])).toEqual([
      ...good.map(() => [false, 'older_than_recent']),
      [false, 'beyond_three_of_root'],
      [true, null],
      [true, null],
      [true, null],
    ]);
  });

  test('names reviews that are too light to count', () => {
    const { reviews } = explainDirect(75, [review({ trust: 0 }), review({ reviewer: 'other' })]);
    expect(reviews.map(({ reason }) => reason)).toEqual(['weight_below_minimum', null]);
  });
});

describe('the roots of a review', () => {
  test('an org_domain is the only root; without any root there is the shared one', () => {
    expect(splitOf('own.test', { 'b.test': 1 })).toEqual({ 'own.test': 1 });
    expect(splitOf(null, { 'b.test': 1 })).toEqual({ 'b.test': 1 });
    expect(splitOf(null, {})).toEqual({ none: 1 });
    expect(splitOf(null, null)).toEqual({ none: 1 });
  });

  test('it counts for the root with the largest share; a tie goes to the first in alphabetical order', () => {
    expect(mainRoot(rootShares({ 'c.test': 0.2, 'b.test': 0.5, 'a.test': 0.3 }))).toBe('b.test');
    expect(mainRoot(rootShares({ 'b.test': 0.5, 'a.test': 0.5 }))).toBe('a.test');
    expect(
      mainRoot([
        ['b.test', 0.5],
        ['a.test', 0.5],
      ]),
    ).toBe('a.test');
  });
});
