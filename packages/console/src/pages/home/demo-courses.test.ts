import type { Demo } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { coursesOf } from './demo-courses.ts';

const step = (second: number, agentId: string | null, score: number | null): Demo['steps'][number] => ({
  kind: 'reviewed',
  at: `2026-01-15T09:30:0${second}.000Z`,
  text: '',
  details: [],
  agent_id: agentId,
  caller_agent_id: null,
  transaction_id: null,
  trust_score: score,
  trust_score_before: null,
  recommended_action: null,
});

it('holds each score until the next step that names one', () => {
  const { times, agents } = coursesOf([
    step(1, null, null),
    step(2, 'shop', 40),
    step(3, 'buyer', 75),
    step(4, 'shop', 46),
    step(5, 'shop', null),
  ]);
  expect(times).toEqual([2, 3, 4].map((second) => Date.parse(`2026-01-15T09:30:0${second}.000Z`)));
  expect(agents).toEqual([
    { agentId: 'shop', scores: [40, 40, 46] },
    { agentId: 'buyer', scores: [null, 75, 75] },
  ]);
});

it('shows the four agents with the most steps', () => {
  const ids = ['a', 'b', 'b', 'c', 'd', 'e', 'e'];
  expect(coursesOf(ids.map((id) => step(1, id, 50))).agents.map(({ agentId }) => agentId)).toEqual([
    'b',
    'e',
    'a',
    'c',
  ]);
});
