import { describe, expect, it } from 'vitest';
import { reasonText, whyBefore } from './match-words.ts';

const part = (points: number) => ({ value: points, weight: 1, points });
const ranked = (capability: number, trust: number, { trustScore = 75, activity = 0 } = {}) => ({
  agent_id: 'one',
  match_score: capability + trust,
  match_parts: {
    capability: part(capability),
    trust: part(trust),
    success: part(0),
    activity: { ...part(0), value: activity },
  },
  trust_score: trustScore,
});

describe('why one agent stands before another', () => {
  it('names the parts that differ, the largest first', () => {
    expect(whyBefore(ranked(0.5, 0.1), ranked(0.2, 0.15))).toBe(
      'It leads by 0.2500: capability +0.3000, trust -0.0500.',
    );
  });

  it('names what decides between equal scores', () => {
    expect(whyBefore(ranked(0.2, 0.1, { trustScore: 80 }), ranked(0.2, 0.1))).toMatch(/trust_score is higher/u);
    expect(whyBefore(ranked(0.2, 0.1, { activity: 0.2 }), ranked(0.2, 0.1))).toMatch(/dealt more often/u);
    expect(whyBefore(ranked(0.2, 0.1), ranked(0.2, 0.1))).toMatch(/listed by their ids/u);
  });
});

it.each([
  ['exact', 'has quoting'],
  ['alias', 'has quoting, another name of which is offers'],
  ['close', 'has quoting, which is close to offers (71 %)'],
] as const)('says how a name was met: %s', (how, text) => {
  const reason = { required_capability: 'offers', matched_capability: 'quoting', weight: 1, how, similarity: 0.71 };
  expect(reasonText(reason)).toBe(text);
});
