import { type AgentEvidence, policyV1, type Review, scoreOf, TrustLedger } from '@agent-trust/trust-policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packEvidence, unpackEvidence } from './pack-evidence.ts';
import { scoredAt, undoLine, undoTo } from './undo.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const agent = 'agent';

/** Few reviewers and roots, so that reviews dampen, change roots and displace each other; long pauses, so that they expire. */
const review = fc.record({
  reviewer: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
  roots: fc.constantFrom<Record<string, number>>(
    { a: 1 },
    { b: 1 },
    { c: 1 },
    { a: 0.5, b: 0.5 },
    { b: 0.3, d: 0.7 },
    {},
  ),
  trust: fc.constantFrom(0.001, 50, 75, 90),
  success: fc.boolean(),
  score: fc.integer({ min: 1, max: 10 }),
  pauseDays: fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: -1, max: 4, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 89, 91, 400, 3_000) },
  ),
});

type Stage = { evidence: AgentEvidence; trustScore: number; unrounded: number };

/** The form in the database: JSON with its members in another order. */
const stored = (evidence: AgentEvidence): AgentEvidence =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(evidence).toReversed()))) as AgentEvidence;

const stagesOf = (reviews: readonly (Omit<Review, 'reviewedAt'> & { pauseDays: number })[]): Stage[] => {
  const ledger = new TrustLedger(policyV1);
  ledger.setPrior(agent, 75);
  let reviewedAt = start;
  const stage = (): Stage => {
    const evidence = ledger.evidence(agent);
    const { score, unrounded } = scoreOf(evidence, policyV1);
    return { evidence, trustScore: score, unrounded };
  };
  return [
    stage(),
    ...reviews.map(({ pauseDays, ...each }) => {
      reviewedAt += pauseDays * dayMs;
      ledger.record(agent, { ...each, reviewedAt });
      return stage();
    }),
  ];
};

describe('evidence', () => {
  it('is the same after packing, and has one text, whatever its source', () => {
    fc.assert(
      fc.property(fc.array(review, { maxLength: 40 }), (reviews) => {
        const { evidence } = stagesOf(reviews).at(-1) ?? stagesOf([])[0]!;
        expect(unpackEvidence(packEvidence(evidence))).toEqual(stored(evidence));
        expect(packEvidence(stored(evidence))).toBe(packEvidence(evidence));
      }),
      { numRuns: 200 },
    );
  });

  // Bug: an expired, moved or displaced review is not restored, or is restored with another number.
  it('can be reverted to its state before each of its reviews, exactly', () => {
    fc.assert(
      fc.property(fc.array(review, { minLength: 1, maxLength: 60 }), (reviews) => {
        const stages = stagesOf(reviews);
        const lines = stages.slice(1).map((after, index) => {
          const before = stages[index]!;
          return undoLine(BigInt(10 * (index + 1)), before, before.evidence, after.evidence);
        });
        const undo = lines.join(',');
        const present = { ...stages.at(-1)!, evidence: stored(stages.at(-1)!.evidence) };
        for (const [index, stage] of stages.entries()) {
          for (const position of [BigInt(10 * index), BigInt(10 * index + 9)]) {
            const then = undoTo(position, present, undo);
            expect(then).toEqual({ ...stage, evidence: stored(stage.evidence) });
            expect(scoreOf(then.evidence, policyV1)).toEqual(scoreOf(stage.evidence, policyV1));
            const isLast = index === stages.length - 1;
            const { trustScore, unrounded } = stage;
            expect(scoredAt(undo, position)).toEqual(isLast ? null : { trustScore, unrounded });
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('writes the same line after it was read back', () => {
    fc.assert(
      fc.property(fc.array(review, { minLength: 2, maxLength: 30 }), (reviews) => {
        const stages = stagesOf(reviews);
        const [before, after] = [stages.at(-2)!, stages.at(-1)!];
        const line = undoLine(5n, before, before.evidence, after.evidence);
        // After a separate read no list is the same object: more is written, with the same result.
        const apart = undoLine(5n, before, stored(before.evidence), stored(after.evidence));
        const present = { ...after, evidence: stored(after.evidence) };
        expect(undoTo(4n, present, apart)).toEqual(undoTo(4n, present, line));
      }),
      { numRuns: 100 },
    );
  });

  it('without anything to undo stays unchanged', () => {
    const [stage] = stagesOf([]);
    expect(undoTo(7n, stage!, '')).toEqual(stage);
    expect(scoredAt('', 7n)).toBeNull();
  });
});
