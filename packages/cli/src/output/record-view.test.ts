/** Bug: what a registry says of a record is not shown, or one part of it as if it were another. */
import type { OrganisationRecord, RecordChange, RecordReview } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { createOutput } from './output.ts';
import { showRecord, showRecordHistory } from './record-view.ts';

const shown = (show: (out: ReturnType<typeof createOutput>) => void): string => {
  let written = '';
  const stream = { isTTY: false, write: (text: string) => Boolean((written += text)) };
  show(createOutput({ stdout: stream, stderr: stream, env: {} } as never, false));
  return written;
};

const review: RecordReview = {
  event_id: 'e1',
  transaction_id: 't1',
  agent_id: 'shop-1',
  reviewer_agent_id: 'buyer',
  reviewed_at: '2026-01-15T09:31:12.000Z',
  success: false,
  score: 1,
  root_weights: { 'o-buyer': 1 },
  weight: 1.125,
  value: 0,
  counted: true,
  reason: null,
  answers_for: null,
  share: null,
};
const record: OrganisationRecord = {
  org_id: 'o-shop',
  org_name: 'Shop',
  trust_policy: 'v2',
  as_of: { position: '4711', time: '2026-01-15T09:31:12.000Z' },
  record: 65,
  unrounded: 68.55,
  basis: 'all',
  left_out: 'o-worst',
  contributions: [
    { kind: 'prior', root: null, weight: 5, capped_weight: 5, mean: 0.75, points: 68.25 },
    {
      kind: 'root',
      root: 'o-buyer',
      weight: 1.1,
      capped_weight: 0.5,
      mean: 0.033,
      points: 0.3,
      established: false,
      cap: 0.09,
    },
  ],
  confidence: { evidence_weight: 0.49, roots: 1, interval: [39.5, 97.6] },
  reviews: [
    review,
    { ...review, transaction_id: 't2', root_weights: { 'o-worst': 1 }, counted: false, reason: 'root_left_out' },
    { ...review, transaction_id: 't3', root_weights: { none: 1 } },
  ],
  reviews_total: 3,
  established: false,
  vouchers: [{ organisation: 'o-friend', since: { position: '12', event_id: 'e0' } }],
  vouchers_total: 3,
  standing: null,
};

it('shows the parts of a record, how sure it is, who vouches and what is left out', () => {
  const text = shown((out) => showRecord(record, out));
  expect(text).toContain('Shop  record 65/75');
  expect(text).toMatch(/as of +2026-01-15 09:31:12 UTC, log position 4711\n/u);
  expect(text).toMatch(/established +no\n/u);
  expect(text).toMatch(/vouched for by +o-friend, 2 more\n/u);
  expect(text).toMatch(/unrounded +68\.550\n/u);
  expect(text).toMatch(/follows +all reviews\n/u);
  expect(text).toMatch(/likely +39\.5 to 97\.6, by a weight of 0\.49 from 1 root\n/u);
  expect(text).toMatch(/left out +o-worst\n/u);
  expect(text).toMatch(/o-buyer +1\.100 +0\.500 +3 % +0\.300/u);
  expect(text).toMatch(/shop-1 +buyer +0 % +1\.125 +o-worst +its root is left out +t2/u);
  expect(text).toMatch(/none \(no organisation\) +yes +t3/u);
  expect(text).not.toContain('standing record');
});

it('shows what a standing record answers for beside it, and a fall of the recent reviews', () => {
  const answer = { ...review, agent_id: 'stray', answers_for: 'stray', share: 0.5 };
  const standing = { ...record, record: 40, basis: 'recent' as const, reviews: [answer, ...record.reviews] };
  const text = shown((out) =>
    showRecord({ ...record, established: true, vouchers: [], vouchers_total: 0, standing }, out),
  );
  expect(text).toContain('With what it answers for  standing record 40/75');
  expect(text).toMatch(/follows +the recent reviews, which are clearly worse than all of them\n/u);
  expect(text).toMatch(/stray \(answers for 50 %\) +buyer/u);
  expect(text).toMatch(/established +yes: its praise counts in full\n/u);
  expect(text).toMatch(/vouched for by +nobody\n/u);
});

it('shows each change of both records with its cause', () => {
  const change: RecordChange = {
    at: '2026-01-15T09:31:12.000Z',
    position: '12',
    record: 65,
    previous_record: 75,
    standing: 60,
    previous_standing: 75,
    trust_policy: 'v2',
    cause: { type: 'ExchangeReviewed', event_id: 'e1', transaction_id: 't1' },
  };
  const text = shown((out) => showRecordHistory([change], out));
  expect(text).toMatch(/UTC +75 +65 +60 +v2 +ExchangeReviewed +t1 +12\n/u);
});
