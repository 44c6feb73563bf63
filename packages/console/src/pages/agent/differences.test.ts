import type { AgentProfile, ExplainedReview, ExplainedTrust, RatingRecord } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { counterpartyDifferences, partDifferences, profileDifferences, reviewDifferences } from './differences.ts';

const profile = (changed: Partial<AgentProfile> = {}): AgentProfile =>
  ({
    trust_score: 40,
    recommended_action: 'abort',
    flags: [],
    capabilities: [],
    routing: { settlement_rail: null },
    last_active: '2026-01-01T00:00:00Z',
    success_rate: null,
    liveness: null,
    ...changed,
  }) as unknown as AgentProfile;
const trust = (contributions: { kind: string; root: string | null; points: number }[]): ExplainedTrust =>
  ({
    contributions,
    unrounded: contributions.reduce((sum, { points }) => sum + points, 0),
  }) as unknown as ExplainedTrust;
const review = (id: string, changed: Partial<ExplainedReview> = {}): ExplainedReview =>
  ({
    event_id: id,
    reviewer_agent_id: 'buyer',
    reviewed_at: '2026-01-01T00:00:00Z',
    counted: true,
    reason: null,
    ...changed,
  }) as ExplainedReview;
const rating = (caller: string, score: number): RatingRecord =>
  ({ caller_agent_id: caller, score, reviewed_at: '2026-01-01T00:00:00Z' }) as RatingRecord;

it('names the score in any case, and of the rest of a profile what differs', () => {
  expect(profileDifferences(profile(), profile()).map(({ what }) => what)).toEqual(['Score']);
  const now = profile({ success_rate: 0, contact_info: 'me@x.test', flags: ['low_trust'] });
  expect(profileDifferences(profile(), now).map(({ what, before, now: is }) => [what, before, is])).toEqual([
    ['Score', '40', '40'],
    ['Flags', '–', 'Its trust is low'],
    ['Success rate', '–', '0 %'],
    ['Contact', '–', 'me@x.test'],
  ]);
});

it('names the parts of a score that came, went or have other points', () => {
  const start = { kind: 'prior', root: null, points: 20 };
  const then = trust([start, { kind: 'root', root: 'old.example', points: 5 }]);
  const now = trust([
    { ...start, points: 15 },
    { kind: 'root', root: 'new.example', points: 9 },
  ]);
  expect(partDifferences(then, now).map(({ what, before, now: is }) => [what, before, is])).toEqual([
    ['Together', '25.00', '24.00'],
    ['Start', '20.00', '15.00'],
    ['new.example', '–', '9.00'],
    ['old.example', '5.00', '–'],
  ]);
});

it('names the reviews that came, or count otherwise', () => {
  const voided = review('b', { counted: false, reason: 'voided' });
  const rows = reviewDifferences([review('a'), review('b')], [review('c'), voided, review('a')]);
  expect(rows.map(({ key, before, now }) => [key, before, now])).toEqual([
    ['c', 'Not yet there', 'Yes'],
    ['b', 'Yes', 'No: voided by the operator'],
  ]);
});

it('names the counterparties that came, or rate otherwise', () => {
  const rows = counterpartyDifferences(
    [rating('a', 9), rating('b', 5)],
    [rating('a', 9), rating('b', 5), rating('b', 8), rating('c', 1)],
  );
  expect(rows.map(({ what, before, now }) => [what, before, now])).toEqual([
    ['b', '1 review, 5.0 of 10', '2 reviews, 6.5 of 10'],
    ['c', '–', '1 review, 1.0 of 10'],
  ]);
});
