import { expect, it } from 'vitest';
import { answersText } from './answers-text.ts';

const liveness = {
  live: true,
  last_answered_at: '2026-01-15T09:30:00.000Z',
  success_rate: 0.98,
  p50_answer_ms: 1_420,
  p95_answer_ms: 1_900,
  timeout_share: 0.01,
  caller_organisations: 12,
  exchanges: 100,
};

it('says how many calls an agent answered, and how fast', () => {
  expect(answersText(liveness)).toBe('98 % of the last 100, half of them within 1,420 ms');
  const dead = { ...liveness, live: false, success_rate: 0, p50_answer_ms: null, p95_answer_ms: null, exchanges: 4 };
  expect(answersText(dead)).toBe('0 % of the last 4; it does not answer now');
  expect(answersText(null)).toBe('–');
});
