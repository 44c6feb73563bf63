/* Bugs: a chart ends before the score that the list shows, leaves out a step, or grows with the log. */
import { policyV1, type Review } from '@agent-trust/trust-policy';
import { describe, expect, test } from 'vitest';
import { followScores } from './follow-scores.ts';

const other = { ...policyV1, name: 'other', constants: { ...policyV1.constants, strength: 10 } };
const place = (position: number) => ({ position: BigInt(position), recordedAt: new Date(position * 1_000) });
const review = (number: number, score: number): Review => ({
  reviewedAt: number * 60_000,
  reviewer: `reviewer-${number}`,
  roots: { [`root-${number}.test`]: 1 },
  trust: 80,
  success: score > 5,
  score,
});
const agent = { agentId: 'a', verified: false, trustPrior: 40 };

describe('followScores', () => {
  test('has a point for each change of a score, by both policies, and none for others', () => {
    const { reader, historyOf } = followScores(new Set(['a']), { from: policyV1, to: other }, 10);
    reader.registered(agent, place(1));
    reader.registered({ ...agent, agentId: 'b' }, place(2));
    reader.reviewed('a', review(1, 10), place(3));
    reader.reviewed('b', review(2, 10), place(4));
    const { points, isThinned } = historyOf('a');
    expect(points.map(({ position }) => position)).toEqual([1n, 3n]);
    expect(points[0]).toMatchObject({ from: 40, to: 40, at: new Date(1_000) });
    expect(points[1]?.from).toBeGreaterThan(points[1]?.to ?? 100);
    expect(isThinned).toBe(false);
    expect(historyOf('b').points).toEqual([]);
    reader.recounted('a', [{ review: review(1, 10), isVoid: true }], place(5));
    expect(historyOf('a').points.at(-1)).toMatchObject({ position: 5n, from: 40, to: 40 });
  });

  test('keeps a bounded number, the first and the last of them', () => {
    const { reader, historyOf } = followScores(new Set(['a']), { from: policyV1, to: other }, 7);
    reader.registered(agent, place(1));
    for (let number = 2; number < 400; number += 1)
      reader.reviewed('a', review(number, number % 2 === 0 ? 10 : 1), place(number));
    const { points, isThinned } = historyOf('a');
    expect(isThinned).toBe(true);
    expect(points.length).toBeLessThanOrEqual(7);
    expect(points[0]?.position).toBe(1n);
    expect(points.map(({ position }) => position)).toEqual(
      points.map(({ position }) => position).toSorted((a, b) => Number(a - b)),
    );
  });
});
