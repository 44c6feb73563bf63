/** Bug: texts of an agent, a domain or a newer registry that control the terminal, or end the program. */
import type { ExplainedTrust, TrustChange } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { createOutput } from './output.ts';
import { showTrust, showTrustHistory } from './trust-view.ts';

const evil = 'x\u001b[2J\u202e\r';

const shown = (show: (out: ReturnType<typeof createOutput>) => void): string => {
  let written = '';
  const stream = { isTTY: false, write: (text: string) => Boolean((written += text)) };
  show(createOutput({ stdout: stream, stderr: stream, env: {} } as never, false));
  return written;
};

const review: ExplainedTrust['reviews'][number] = {
  event_id: 'e1',
  transaction_id: 't1',
  reviewer_agent_id: 'buyer',
  reviewed_at: '2026-01-15T09:31:12.000Z',
  success: true,
  score: 5,
  root_weights: { 'a.test': 0.25, 'b.test': 0.75 },
  weight: 0.8,
  value: 0.5,
  counted: true,
  reason: null,
};
const trust: ExplainedTrust = {
  agent_id: 'corner-shop',
  trust_score: 46,
  flags: [],
  unrounded: 45.5,
  trust_policy: 'v1',
  as_of: { position: '4711', time: '2026-01-15T09:31:12.000Z' },
  basis: 'all',
  prior: 40,
  strength: 5,
  contributions: [
    { kind: 'prior', root: null, weight: 5, capped_weight: 5, mean: 0.4, points: 36.5 },
    { kind: 'root', root: 'a.test', weight: 2, capped_weight: 1.25, mean: 1, points: 9 },
    { kind: 'root', root: 'none', weight: 0.75, capped_weight: 0.75, mean: 1, points: 5 },
  ],
  confidence: { evidence_weight: 2, roots: 2, interval: [16.1, 74.9] },
  reviews: [
    review,
    { ...review, counted: false, reason: 'older_than_recent' },
    { ...review, root_weights: { none: 1 } },
  ],
  liveness: {
    live: true,
    last_answered_at: '2026-01-15T09:30:00.000Z',
    success_rate: 0.97,
    p50_answer_ms: 420,
    p95_answer_ms: 1_900,
    timeout_share: 0.01,
    caller_organisations: 1,
    exchanges: 100,
  },
};
const change: TrustChange = {
  at: '2026-01-15T09:31:12.000Z',
  position: '12',
  trust_score: 40,
  previous_score: null,
  trust_policy: 'v1',
  cause: { type: 'AgentRegistered', event_id: 'e0', transaction_id: null },
};

it('shows the parts of a score and which reviews count', () => {
  const text = shown((out) => showTrust(trust, out));
  expect(text).toContain('corner-shop  trust 46/100');
  expect(text).toMatch(/as of +2026-01-15 09:31:12 UTC, log position 4711/u);
  expect(text).toMatch(
    /answers +97 % of 100 calls; 1 % timed out; half within 420 ms, 95 % within 1900 ms; of 1 organisation; last 2026-01-15 09:30:00 UTC\n/u,
  );
  expect(text).toMatch(/prior +5\.000 +5\.000 +40 % +36\.500/u);
  expect(text).toMatch(/a\.test +2\.000 +1\.250 +100 % +9\.000/u);
  expect(text).toMatch(/none \(no organisation or domain\) +0\.750 +0\.750/u);
  expect(text).toMatch(/buyer +50 % +0\.800 +none \(no organisation or domain\) +yes +t1/u);
  expect(text).toMatch(/buyer +50 % +0\.800 +a\.test 25 %, b\.test 75 % +yes +t1/u);
  expect(text).toContain('not among the recent');
  expect(shown((out) => showTrust({ ...trust, reviews: [] }, out))).not.toContain('REVIEWED');
});

it('shows the parts that organisations have under formula v2, and how sure the score is', () => {
  const weightless = { weight: 0, capped_weight: 0, mean: 0 };
  const contributions: ExplainedTrust['contributions'] = [
    { kind: 'prior', root: null, weight: 5, capped_weight: 5, mean: 0.4, points: 25 },
    { ...weightless, kind: 'record', root: null, organisation: 'o-seller', points: -2.5 },
    { ...weightless, kind: 'third_voice', root: 'o-third', voice: 0.25, points: 4.5 },
    { kind: 'root', root: 'o-a', weight: 2, capped_weight: 1, mean: 1, points: 9, established: true, cap: 0.2 },
  ];
  const text = shown((out) => showTrust({ ...trust, contributions }, out));
  expect(text).toMatch(/record of o-seller +-2\.500/u);
  expect(text).toMatch(/third voice: o-third +4\.500/u);
  expect(text).toMatch(/o-a, established +2\.000 +1\.000 +100 % +9\.000/u);
  expect(text).toMatch(/likely +16\.1 to 74\.9, by a weight of 2\.00 from 2 roots/u);
});

it('shows each change with its cause', () => {
  const later = { ...change, trust_score: 46, previous_score: 40, position: '20' };
  const text = shown((out) =>
    showTrustHistory(
      [change, { ...later, cause: { type: 'ExchangeReviewed', event_id: 'e', transaction_id: 't1' } }],
      out,
    ),
  );
  expect(text).toMatch(/UTC +40 +v1 +AgentRegistered +12\n/u);
  expect(text).toMatch(/UTC +40 +46 +v1 +ExchangeReviewed +t1 +20\n/u);
});

it('shows nothing that a terminal interprets, and unknown words unchanged', () => {
  const basis = evil as ExplainedTrust['basis'];
  const text =
    shown((out) =>
      showTrust(
        {
          ...trust,
          agent_id: evil,
          trust_policy: evil,
          basis,
          as_of: { position: evil, time: evil },
          contributions: [{ kind: 'root', root: evil, weight: 1, capped_weight: 1, mean: 1, points: 1 }],
          reviews: [
            {
              ...review,
              reviewer_agent_id: evil,
              root_weights: { [evil]: 1 },
              transaction_id: evil,
              reviewed_at: evil,
              counted: false,
              reason: '__proto__' as 'older_than_recent',
            },
          ],
        },
        out,
      ),
    ) + shown((out) => showTrustHistory([{ ...change, at: evil, cause: { ...change.cause, type: evil } }], out));
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  expect(text).toContain('\\x1b[2J');
});
