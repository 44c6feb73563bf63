import { expect, it } from 'vitest';
import { counterpartiesOf } from './counterparties-of.ts';

const rating = (caller: string, score: number, at: string) => ({
  transaction_id: `${caller} ${at}`,
  caller_agent_id: caller,
  caller_org_domain: null,
  success: true,
  score,
  reviewed_at: at,
});

it('groups reviews by their writer, most reviews first', () => {
  const ratings = [rating('b', 4, '2026-01-01'), rating('a', 9, '2026-01-02'), rating('b', 8, '2026-01-03')];
  expect(counterpartiesOf(ratings)).toEqual([
    { agentId: 'b', domain: null, reviews: 2, meanScore: 6, lastAt: '2026-01-03' },
    { agentId: 'a', domain: null, reviews: 1, meanScore: 9, lastAt: '2026-01-02' },
  ]);
});
