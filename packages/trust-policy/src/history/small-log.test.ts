import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BadHistoryError } from './history-line.ts';
import { parseSmallLog, scoreSmallLog } from './small-log.ts';

const page = readFileSync(new URL('../../../../docs/trust-policy-v2.md', import.meta.url), 'utf8');
const documented = /```json\n(.*)\n```/.exec(page)?.[1] ?? '';
const agent = (agent_id: string, organisation?: unknown, prior: unknown = 75): object => ({
  agent_id,
  organisation,
  prior,
});
const agents = [agent('a1', 'acme'), agent('b1', 'bolt'), agent('t', null, 40)];
const review = (overrides: object = {}): object => ({
  reviewed_at: '2026-01-01T00:00:00Z',
  reviewer: 'a1',
  receiver: 't',
  success: true,
  score: 10,
  ...overrides,
});
const line = (reviews: object[], rest: object = {}): string => JSON.stringify({ agents, reviews, ...rest });
const scores = (text: string): ReturnType<typeof scoreSmallLog> => scoreSmallLog(parseSmallLog(text));

describe('a small log', () => {
  test('is the documented example, whose score is 64', () => {
    expect(scores(documented)).toEqual({
      scores: { a1: 75, b1: 75, c1: 75, n1: 75, n2: 75, t: 64 },
      priors: { alpha: 75, beta: 75, gamma: 75, newco: 75 },
      established: ['alpha', 'beta', 'gamma'],
    });
  });

  test('without trust and roots takes what the policy makes of the log so far', () => {
    const trusted = [review(), review({ reviewer: 'b1' })];
    const byUnaffiliated = review({ reviewer: 't', receiver: 'a1', success: false, score: 1 });
    const derived = scores(line([...trusted, byUnaffiliated]));
    const given = { trust: scores(line(trusted)).scores['t'], roots: { acme: 0.5, bolt: 0.5 } };
    expect(derived).toEqual(scores(line([...trusted, { ...byUnaffiliated, ...given }])));
    expect(derived.scores['a1']).toBeLessThan(75);
    expect(scores(line([...trusted, { ...byUnaffiliated, trust: 0 }])).scores['a1']).toBe(75);
  });

  test('does not look at the roots of a reviewer with an organisation', () => {
    expect(scores(line([review({ roots: 'anything' })]))).toEqual(scores(line([review()])));
  });

  test('has the record of each organisation, and an agent with an organisation and 40 was adopted', () => {
    const bad = { success: false, score: 1 };
    const reviews = [review({ receiver: 'b1', ...bad }), review({ reviewer: 'c1', receiver: 'b1', ...bad })];
    const more = { agents: [...agents, agent('c1', 'cube'), agent('b2', 'bolt'), agent('b3', 'bolt', 40)] };
    const { priors, scores: all } = scores(line(reviews, more));
    expect(priors).toEqual({ acme: 75, bolt: 65, cube: 75 });
    expect(all).toMatchObject({ b2: 65, b3: 40 });
  });

  test.each([
    ['not JSON', '{', /^not JSON: /],
    ['no agents', '{"reviews":[]}', /^agents: /],
    ['another prior', line([], { agents: [agent('a', null, 50)] }), /^agents\[0\]\.prior: /],
    ['an organisation none', line([], { agents: [agent('a', 'none')] }), /^agents\[0\]\.organisation: /],
    ['an agent twice', line([], { agents: [...agents, agent('t')] }), /^agents\[3\]\.agent_id: /],
    ['an unknown reviewer', line([review({ reviewer: 'x' })]), /^reviews\[0\]\.reviewer: is not among/],
    ['an unknown receiver', line([review({ receiver: 'x' })]), /^reviews\[0\]\.receiver: is not among/],
    ['a score of 11', line([review({ score: 11 })]), /^reviews\[0\]\.score: /],
    ['trust above 100', line([review({ trust: 101 })]), /^reviews\[0\]\.trust: /],
    ['shares far from 1', line([review({ reviewer: 't', roots: { acme: 2 } })]), /^reviews\[0\]\.roots: /],
    ['newest first', line([review(), review({ reviewed_at: '2025-12-31T00:00:00Z' })]), /^reviews\[1\]\.reviewed_at: /],
    ['an anchor that is none', line([], { anchors: [7] }), /^anchors\[0\]: /],
  ])('with %s is refused: one line that names the fault', (_name, bad, fault) => {
    expect(() => scores(line([review()]))).not.toThrow();
    expect(() => parseSmallLog(bad)).toThrow(BadHistoryError);
    expect(() => parseSmallLog(bad)).toThrow(fault);
    expect(() => parseSmallLog(bad)).toThrow(/^[^\n]+$/);
  });
});
