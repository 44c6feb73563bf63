import type { ExplainedReview } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { reviewersOf } from './reviewers-of.ts';

const review = (reviewer: string, shares: Record<string, number>): ExplainedReview => ({
  event_id: 'event',
  transaction_id: 'transaction',
  reviewer_agent_id: reviewer,
  reviewed_at: '2026-01-01T00:00:00.000Z',
  success: true,
  score: 10,
  root_weights: shares,
  weight: 1,
  value: 1,
  counted: true,
  reason: null,
});

it('names each agent once that speaks for a root, and none that speaks for several', () => {
  const reviews = [
    review('b', { acme: 1 }),
    review('a', { acme: 1 }),
    review('both', { acme: 0.5, globex: 0.5 }),
    review('b', { acme: 1 }),
    review('c', { globex: 1 }),
  ];
  expect(reviewersOf('acme', reviews)).toEqual(['b', 'a']);
  expect(reviewersOf('globex', reviews)).toEqual(['c']);
  expect(reviewersOf('constructor', reviews)).toEqual([]);
});
