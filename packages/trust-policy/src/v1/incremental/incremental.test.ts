// Bug: a score that is updated review by review drifts away from the formula, or decides differently at a limit (a review too light, too old, one
// too many of its root). Method: random histories with few reviewers, so that pairs exceed the 21 reviews that can count; gaps from none to eight
// years, so that reviews expire and epochs are skipped; the direct form over the whole history after every single review; and, besides v1, policies
// whose constants lie anywhere in their ranges.
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpiryQueue } from '../../ledger/expiry-queue.ts';
import { TrustLedger } from '../../ledger/trust-ledger.ts';
import { parsePolicyV1 } from '../../policy/parse-policy.ts';
import { policyV1, type TrustPolicy } from '../../policy/trust-policy.ts';
import { DAY_MS, NO_ROOT } from '../constants.ts';
import { scoreDirect } from '../direct.ts';
import type { Review } from '../review.ts';
import { rulesOf } from '../rules.ts';
import { contributionsOf } from '../trust-score.ts';
import { applyReview, effectiveTime } from './apply-review.ts';
import { type AgentEvidence, initialEvidence, type PairEvidence, withPrior } from './evidence.ts';
import { RootTable } from './root-table.ts';
import { rootsOfReviewer, scoreOf } from './score-of.ts';

const START = Date.UTC(2026, 0, 1);
const ROOTS = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test', 'f.test', 'g.test', NO_ROOT];

const split = fc
  .array(fc.tuple(fc.constantFrom(...ROOTS), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 4 })
  .map((parts) => {
    const total = parts.reduce((sum, [, part]) => sum + part, 0);
    const roots: Record<string, number> = {};
    for (const [root, part] of parts) roots[root] = (roots[root] ?? 0) + part / total;
    return roots;
  });

const gapMs = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: DAY_MS }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 40 * DAY_MS }) },
  { weight: 1, arbitrary: fc.constantFrom(90 * DAY_MS, 90 * DAY_MS + 1, 90 * DAY_MS * 20) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 365 * DAY_MS }) },
  // A clock that runs backwards.
  { weight: 1, arbitrary: fc.integer({ min: -DAY_MS, max: -1 }) },
);

const trust = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 50, max: 100 }) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 100, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e-4, 2e-4, 0.01) },
);

/** Reviewers with a domain or without; so few that they recur. */
const history = (countMax: number): fc.Arbitrary<Review[]> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.array(
        fc.record({
          reviewer: fc.nat(),
          gapMs,
          trust,
          success: fc.boolean(),
          score: fc.integer({ min: 1, max: 10 }),
          split,
        }),
        { maxLength: countMax, size: 'max' },
      ),
    )
    .map(([reviewers, steps]) => {
      let at = START;
      return steps.map((step) => {
        at += step.gapMs;
        const number = step.reviewer % reviewers;
        const roots = number % 3 === 2 ? step.split : { [ROOTS[number % ROOTS.length] ?? NO_ROOT]: 1 };
        const { trust: reviewerTrust, success, score } = step;
        return { reviewedAt: at, reviewer: `r${number}`, roots, trust: reviewerTrust, success, score };
      });
    });

const otherPolicy = fc
  .record({
    strength: fc.double({ min: 0.1, max: 50, noNaN: true }),
    rootShareMax: fc.oneof(
      fc.constantFrom(0.02, 0.1, 0.2, 0.25, 1 / 3, 0.5, 1),
      fc.double({ min: 0.02, max: 1, noNaN: true }),
    ),
    failureFactor: fc.double({ min: 0, max: 1, noNaN: true }),
    badBelow: fc.double({ min: 0, max: 1, noNaN: true }),
    badWeight: fc.double({ min: 0.1, max: 10, noNaN: true }),
    weightMin: fc.constantFrom(1e-8, 1e-6, 1e-4, 0.01),
    halfLifeDays: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.double({ min: 1, max: 400, noNaN: true })),
    recentAgeDaysMax: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.double({ min: 1, max: 400, noNaN: true })),
    recentPerRootMax: fc.integer({ min: 1, max: 8 }),
    fastFallPoints: fc.double({ min: 0, max: 100, noNaN: true }),
  })
  .map((constants) => parsePolicyV1({ name: 'other', formula: 'v1', constants, priors: null }));
const policy: fc.Arbitrary<TrustPolicy> = fc.oneof(fc.constant(policyV1), otherPolicy);

const prior = fc.oneof(fc.constantFrom(75, 40, 0, 100), fc.double({ min: 0, max: 100, noNaN: true }));
/** The longest time for shrinking a failing history; the test itself takes some seconds. */
const LIMITS = { interruptAfterTimeLimit: 30_000 };

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** What evidence has of each root. */
const byRoot = (evidence: AgentEvidence): Map<string, unknown[]> => {
  const columns = (Object.values(evidence) as unknown[]).filter((column): column is unknown[] => Array.isArray(column));
  return new Map(evidence.roots.map((root, place) => [root, columns.map((column) => column[place])]));
};

/** The roots that differ, in alphabetical order. */
const differing = (before: AgentEvidence, after: AgentEvidence): string[] => {
  const [old, now] = [byRoot(before), byRoot(after)];
  const isSame = (root: string): boolean => JSON.stringify(old.get(root)) === JSON.stringify(now.get(root));
  return [...new Set([...old.keys(), ...now.keys()])].filter((root) => !isSame(root)).sort();
};

/** A store like a database: rows of JSON, and pairs found by their `expiresAt` alone. */
const rowStore = (agentPrior: number, by: TrustPolicy = policyV1) => {
  let row: AgentEvidence = initialEvidence(agentPrior);
  const pairs = new Map<string, PairEvidence>();
  return {
    evidence: () => row,
    pairs,
    apply(review: Review) {
      const now = effectiveTime(row, review);
      const expired = [...pairs.values()].filter((pair) => pair.expiresAt <= now && pair.reviewer !== review.reviewer);
      // A change of what is given would throw.
      for (const column of Object.values(row)) Object.freeze(column);
      const applied = applyReview({
        evidence: row,
        pair: pairs.get(review.reviewer) ?? null,
        expired,
        review,
        policy: by,
      });
      const stored = throughJson(applied);
      expect(stored).toStrictEqual(applied);
      const { changedRoots } = stored;
      if (changedRoots !== null) {
        // A root that is not named is not written.
        expect(changedRoots).toEqual(expect.arrayContaining(differing(row, stored.evidence)));
        expect(changedRoots).toEqual(changedRoots.toSorted());
      }
      row = stored.evidence;
      for (const reviewer of stored.removedPairs) expect(pairs.delete(reviewer)).toBe(true);
      for (const pair of stored.changedPairs) pairs.set(pair.reviewer, pair);
      return applied.score;
    },
  };
};

describe('incremental form', { timeout: 60_000 }, () => {
  test('equals the direct form after every review, through rows of JSON', () => {
    fc.assert(
      fc.property(prior, history(90), policy, (agentPrior, reviews, by) => {
        const store = rowStore(agentPrior, by);
        const pairReviewsMax = Math.ceil(Math.log2(Math.max(1, by.constants.badWeight) / by.constants.weightMin)) + 1;
        reviews.forEach((review, index) => {
          const verdict = store.apply(review);
          const direct = scoreDirect(agentPrior, reviews.slice(0, index + 1), by);
          expect(Math.abs(verdict.unrounded - direct.unrounded)).toBeLessThan(1e-9);
          expect(verdict.score).toBe(direct.score);
          expect(verdict.basis).toBe(direct.basis);
          for (const pair of store.pairs.values())
            expect(pair.reviews.length).toBeLessThanOrEqual(by === policyV1 ? 21 : pairReviewsMax);
        });
      }),
      { ...LIMITS, numRuns: runs(100, 300) },
    );
  });

  // Here the two averages differ in the last bit, and the forms add in different orders.
  test('names the same basis where the recent average is lower by noise only', () => {
    const constants = {
      strength: 0.12443393921047424,
      rootShareMax: 0.2,
      failureFactor: 0,
      badBelow: 0,
      badWeight: 0.1,
      weightMin: 1e-8,
      halfLifeDays: 87,
      recentAgeDaysMax: 1,
      recentPerRootMax: 1,
      fastFallPoints: 0,
    };
    const by = parsePolicyV1({ name: 'other', formula: 'v1', constants, priors: null });
    const reviews: Review[] = [
      { reviewedAt: START, reviewer: 'r0', roots: { 'a.test': 1 }, trust: 50, success: true, score: 10 },
      { reviewedAt: 1800211647845, reviewer: 'r1', roots: { 'b.test': 1 }, trust: 50, success: false, score: 1 },
    ];
    const store = rowStore(100, by);
    for (const review of reviews) store.apply(review);
    expect(scoreOf(store.evidence(), by).basis).toBe('all');
    expect(scoreDirect(100, reviews, by).basis).toBe('all');
  });

  test('explains the same roots with the same parts', () => {
    fc.assert(
      fc.property(prior, history(60), policy, (agentPrior, reviews, by) => {
        const store = rowStore(agentPrior, by);
        for (const review of reviews) store.apply(review);
        const explained = scoreOf(store.evidence(), by);
        const direct = scoreDirect(agentPrior, reviews, by);
        expect(explained.roots.map(({ root }) => root)).toEqual(direct.roots.map(({ root }) => root));
        explained.roots.forEach((root, index) => {
          expect(root.weight).toBeCloseTo(direct.roots[index]?.weight ?? Number.NaN, 9);
          expect(root.cappedWeight).toBeCloseTo(direct.roots[index]?.cappedWeight ?? Number.NaN, 9);
          expect(root.mean).toBeCloseTo(direct.roots[index]?.mean ?? Number.NaN, 7);
          expect(root.points).toBeCloseTo(direct.roots[index]?.points ?? Number.NaN, 9);
        });
      }),
      { ...LIMITS, numRuns: runs(60, 300) },
    );
  });

  // A review can be too light to count among all and still count among the recent ones, where newer reviews of its reviewer may have displaced
  // others. So its root and its pair must be kept while it is recent, although nothing of them counts.
  test('keeps reviews that count among the recent ones alone', () => {
    const review = (day: number, reviewer: string, root: string, reviewerTrust: number): Review => ({
      reviewedAt: START + day * DAY_MS,
      reviewer,
      roots: { [root]: 1 },
      trust: reviewerTrust,
      success: true,
      score: 10,
    });
    const reviews = [
      review(0, 'light', 'a.test', 2.4e-4),
      review(0, 'light', 'b.test', 1.2e-4),
      ...['b1', 'b2', 'b3'].map((reviewer) => review(0, reviewer, 'b.test', 80)),
      review(30, 'other', 'd.test', 80),
      review(40, 'light', 'c.test', 2.4e-4),
    ];
    const store = rowStore(75);
    const recentRoots = reviews.map((each, index) => {
      store.apply(each);
      const recent = scoreOf(store.evidence(), policyV1).recent?.roots ?? [];
      const expected = scoreDirect(75, reviews.slice(0, index + 1), policyV1).recent?.roots ?? [];
      expect(recent.map(({ root }) => root)).toEqual(expected.map(({ root }) => root));
      recent.forEach(({ weight }, place) => expect(weight).toBeCloseTo(expected[place]?.weight ?? Number.NaN, 12));
      return recent.map(({ root }) => root);
    });
    expect(recentRoots.at(-2)).toContain('a.test');
    expect(recentRoots.at(-1)).not.toContain('a.test');
  });

  test('drops reviews that are no longer recent, and keeps those that still count', () => {
    const { recentAgeDaysMax } = policyV1.constants;
    const store = rowStore(75);
    const review = (day: number, reviewer: string, root: string): void =>
      void store.apply({
        reviewedAt: START + day * DAY_MS,
        reviewer,
        roots: { [root]: 1 },
        trust: 80,
        success: true,
        score: 9,
      });
    const sequences = (): number[][] => store.evidence().recent.map((recent) => recent.map(({ sequence }) => sequence));
    review(0, 'r0', 'a.test');
    review(1, 'r1', 'a.test');
    review(recentAgeDaysMax + 1, 'r2', 'b.test');
    expect(sequences()).toEqual([[0, 1], [2]]);
    review(recentAgeDaysMax + 2, 'r3', 'b.test');
    expect(sequences()).toEqual([[], [2, 3]]);
    expect(store.evidence().live).toEqual([2, 2]);
    review(recentAgeDaysMax + 2, 'r4', 'a.test');
    expect(sequences()).toEqual([[4], [2, 3]]);
  });

  test('the ledger equals the direct form', () => {
    fc.assert(
      fc.property(prior, history(250), policy, (agentPrior, reviews, by) => {
        const ledger = new TrustLedger(by);
        ledger.setPrior('agent', agentPrior);
        const verdicts = reviews.map((review) => ledger.record('agent', review));
        const direct = scoreDirect(agentPrior, reviews, by);
        expect(Math.abs((verdicts.at(-1)?.unrounded ?? agentPrior) - direct.unrounded)).toBeLessThan(1e-9);
        expect(ledger.score('agent').score).toBe(direct.score);
      }),
      { ...LIMITS, numRuns: runs(30, 100) },
    );
  });

  // Bug: a void review still damps others of its pair, crowds out recent ones or keeps a root alive; or what is counted later is numbered anew.
  test('counted anew without void reviews, equals the ledger that never had them, and goes on like it', () => {
    const marks = fc.array(fc.boolean(), { minLength: 120, maxLength: 120 });
    fc.assert(
      fc.property(prior, history(140), marks, policy, (agentPrior, all, voided, by) => {
        const [reviews, later] = [all.slice(0, voided.length), all.slice(voided.length)];
        const [ledger, without] = [new TrustLedger(by), new TrustLedger(by)];
        for (const each of [ledger, without]) each.setPrior('agent', agentPrior);
        const recorded = reviews.map((made, index) => {
          ledger.record('agent', made);
          const reviewedAt = ledger.evidence('agent').newestAt ?? made.reviewedAt;
          return { review: { ...made, reviewedAt }, isVoid: voided[index] === true };
        });
        ledger.recount('agent', recorded);
        const counting = recorded.flatMap(({ review: counted, isVoid }) => (isVoid ? [] : counted));
        for (const counted of counting) without.record('agent', counted);
        expect(ledger.evidence('agent').reviewCount).toBe(reviews.length);
        expect(ledger.score('agent')).toEqual(without.score('agent'));
        expect(ledger.pairs('agent')).toEqual(without.pairs('agent'));
        expect(ledger.score('agent').score).toBe(scoreDirect(agentPrior, counting, by).score);
        for (const made of later) {
          expect(ledger.record('agent', made)).toEqual(without.record('agent', made));
        }
      }),
      { ...LIMITS, numRuns: runs(60, 300) },
    );
  });

  test('keeps its invariants: a score within 0–100, points that add up to it, no root above its share', () => {
    fc.assert(
      fc.property(prior, history(60), policy, (agentPrior, reviews, by) => {
        const ledger = new TrustLedger(by);
        ledger.setPrior('agent', agentPrior);
        for (const review of reviews) ledger.record('agent', review);
        const score = ledger.score('agent');
        const lines = contributionsOf(score);
        expect(score.unrounded).toBeGreaterThanOrEqual(0);
        expect(score.unrounded).toBeLessThanOrEqual(100);
        expect(score.score).toBe(Math.floor(score.unrounded + 0.5));
        expect(Math.abs(lines.reduce((sum, { points }) => sum + points, 0) - score.unrounded)).toBeLessThan(1e-9);
        const total = lines.reduce((sum, { cappedWeight }) => sum + cappedWeight, 0);
        const heaviest = Math.max(0, ...lines.slice(1).map(({ cappedWeight }) => cappedWeight));
        expect(heaviest).toBeLessThanOrEqual(by.constants.rootShareMax * total + 1e-9);
      }),
      { ...LIMITS, numRuns: runs(60, 300) },
    );
  });

  test('does not change its input values', () => {
    fc.assert(
      fc.property(history(30), (reviews) => {
        const store = rowStore(75);
        for (const review of reviews) {
          const before = store.evidence();
          const copy = throughJson(before);
          store.apply(review);
          expect(before).toStrictEqual(copy);
        }
      }),
      { ...LIMITS, numRuns: runs(20, 50) },
    );
  });

  test('a later change of the prior gives the same score as if it had been there from the start', () => {
    fc.assert(
      fc.property(history(30), prior, (reviews, laterPrior) => {
        const store = rowStore(40);
        for (const review of reviews) store.apply(review);
        const changed = scoreOf(withPrior(store.evidence(), laterPrior), policyV1);
        expect(changed.unrounded).toBeCloseTo(scoreDirect(laterPrior, reviews, policyV1).unrounded, 9);
      }),
      { ...LIMITS, numRuns: runs(30, 100) },
    );
  });

  test('does not drift: after thousands of reviews and their expiry a root is exactly empty', () => {
    const count = runs(10_000, 50_000);
    const monthsMs = 140 * DAY_MS;
    const ledger = new TrustLedger(policyV1);
    ledger.setPrior('agent', 75);
    const tail: Review[] = [];
    for (let index = 0; index < count; index += 1) {
      const roots = index % 5 === 0 ? { 'a.test': 1 / 3, 'b.test': 2 / 3 } : { [ROOTS[index % 7] ?? NO_ROOT]: 1 };
      const reviewer = `r${index % 997}`;
      const review = {
        reviewedAt: START + Math.round((index * monthsMs) / count),
        reviewer,
        roots,
        trust: 50 + (index % 50),
        success: index % 3 > 0,
        score: 1 + (index % 10),
      };
      ledger.record('agent', review);
      tail.push(review);
    }
    expect(Math.abs(ledger.score('agent').unrounded - scoreDirect(75, tail, policyV1).unrounded)).toBeLessThan(1e-11);
    const years = 20 * 365 * DAY_MS;
    const late = {
      reviewedAt: START + years,
      reviewer: 'late',
      roots: { 'z.test': 1 },
      trust: 80,
      success: true,
      score: 10,
    };
    ledger.record('agent', late);
    expect(ledger.evidence('agent').roots).toEqual(['z.test']);
    expect(ledger.pairs('agent').map(({ reviewer }) => reviewer)).toEqual(['late']);
    expect(ledger.score('agent').unrounded).toBe(scoreDirect(75, [late], policyV1).unrounded);
  });
});

describe('table of roots', () => {
  test('contains no -0, which JSON lacks, when a trace below 0 is halved to nothing', () => {
    const { MIN_VALUE } = Number;
    const none = { roots: ['a.test'], live: [1], recent: [[]], plainFrom: [-1] };
    const sums = { weights: [1], weightErrors: [-MIN_VALUE], values: [-MIN_VALUE], valueErrors: [-MIN_VALUE] };
    const before = { ...none, ...sums, recentWeights: [1], recentValues: [-MIN_VALUE] };
    const after = new RootTable(before, 0, 1, rulesOf(policyV1)).columns();
    expect(after).toStrictEqual(throughJson(after));
    expect(after).toMatchObject({ weights: [0.5], values: [0], valueErrors: [0], recentWeights: [0.5] });
  });
});

describe('expiry queue', () => {
  test('returns exactly the due entries, earliest first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(50), (times, now) => {
        const queue = new ExpiryQueue();
        times.forEach((at, index) => queue.push({ at, key: String(index) }));
        const given: number[] = [];
        for (let due = queue.popDue(now); due !== undefined; due = queue.popDue(now)) given.push(due.at);
        expect(given).toEqual(times.filter((at) => at <= now).sort((a, b) => a - b));
        expect(queue.size).toBe(times.length - given.length);
      }),
    );
  });
});

describe('roots of a reviewer', () => {
  const evidenceOf = (agentPrior: number, reviews: readonly Review[]): AgentEvidence => {
    const ledger = new TrustLedger(policyV1);
    ledger.setPrior('agent', agentPrior);
    for (const review of reviews) ledger.record('agent', review);
    return ledger.evidence('agent');
  };
  const review = (root: string, score: number, reviewer = root): Review => ({
    reviewedAt: START,
    reviewer,
    roots: { [root]: 1 },
    trust: 80,
    success: true,
    score,
  });

  test('its org_domain is its only root, whatever raised it', () => {
    expect(
      rootsOfReviewer({ orgDomain: 'own.test', evidence: evidenceOf(40, [review('a.test', 10)]) }, policyV1),
    ).toEqual({
      'own.test': 1,
    });
  });

  test('without evidence, or with none that raised it, it has the shared root', () => {
    expect(rootsOfReviewer({ orgDomain: null, evidence: null }, policyV1)).toEqual({ none: 1 });
    expect(rootsOfReviewer({ orgDomain: null, evidence: initialEvidence(40) }, policyV1)).toEqual({ none: 1 });
    expect(rootsOfReviewer({ orgDomain: null, evidence: evidenceOf(40, [review('a.test', 2)]) }, policyV1)).toEqual({
      none: 1,
    });
  });

  test('the roots that raised it share by their weight before the cap; a root that lowered it has no part', () => {
    const evidence = evidenceOf(40, [
      ...['a1', 'a2', 'a3'].map((reviewer) => review('a.test', 10, reviewer)),
      review('b.test', 10),
      review('c.test', 1),
    ]);
    const roots = rootsOfReviewer({ orgDomain: null, evidence }, policyV1);
    expect(Object.keys(roots)).toEqual(['a.test', 'b.test']);
    expect(roots['a.test']).toBeCloseTo(0.75, 12);
    expect(roots['b.test']).toBeCloseTo(0.25, 12);
  });
});
