import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BadHistoryError } from './history-line.ts';
import { parseSmallLog, scoreSmallLog } from './small-log.ts';

const page = readFileSync(new URL('../../../../docs/trust-policy.md', import.meta.url), 'utf8');
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

  test('may be empty, and has no standing of organisations that none of its agents belongs to', () => {
    expect(scores('{"agents":[],"reviews":[]}')).toEqual({ scores: {}, priors: {}, established: [] });
    const anchored = scores(line([], { anchors: ['bolt', 'elsewhere', 'bolt'] }));
    expect(anchored).toMatchObject({ priors: { acme: 75, bolt: 75 }, established: ['bolt'] });
    expect(scores(line([], { anchors: null }))).toEqual(scores(line([])));
  });

  test('five organisations that are content make one established; the fifth review counts from the next one on', () => {
    const customers = Array.from({ length: 6 }, (_, index) => agent(`c${index}`, `customer-${index}`));
    const vouch = (index: number, overrides: object = {}): object =>
      review({ reviewer: `c${index}`, receiver: 'a1', score: 8, ...overrides });
    const establishedBy = (reviews: object[]): string[] =>
      scores(line(reviews, { agents: [...agents, ...customers] })).established;
    const four = [0, 1, 2, 3].map((index) => vouch(index));
    for (const fifth of [vouch(4), vouch(4, { score: 6 })]) expect(establishedBy([...four, fifth])).toEqual(['acme']);
    // Twice the same one, a bad review, and reviews by an own agent and by nobody's are no fifth voucher.
    const own = { ...vouch(0), reviewer: 'a2' };
    const noFifth = [vouch(3), vouch(4, { score: 5 }), vouch(4, { success: false, score: 10 })];
    for (const last of noFifth) expect(establishedBy([...four, last])).toEqual([]);
    const withOwn = { agents: [...agents, ...customers, agent('a2', 'acme'), agent('u', null)] };
    expect(scores(line([...four, own, { ...own, reviewer: 'u' }], withOwn)).established).toEqual([]);
    // A review of trust 0 has no weight, but says what it says.
    expect(establishedBy([...four, vouch(4, { trust: 0 })])).toEqual(['acme']);
    // By itself 9 percent at most; established 20.
    const praise = Array.from({ length: 12 }, () => review());
    const before = scores(line([...four, ...praise, vouch(4)], { agents: [...agents, ...customers] }));
    const after = scores(line([...four, vouch(4), ...praise], { agents: [...agents, ...customers] }));
    expect([before.scores['t'], after.scores['t']]).toEqual([45, 52]);
  });

  test('an anchor needs no vouchers, but a good record', () => {
    const bad = { receiver: 'b1', success: false, score: 1 };
    const more = { agents: [...agents, agent('c1', 'cube')], anchors: ['acme', 'bolt'] };
    const slandered = scores(line([review(bad), review({ ...bad, reviewer: 'c1' })], more));
    expect(slandered).toMatchObject({ priors: { bolt: 65 }, established: ['acme'] });
  });

  test('shares of 0 name no root, `none` is a root like another, and a root that is an organisation is that one', () => {
    const byNobody = (roots: object | null): unknown =>
      scores(
        line([review(), review({ reviewer: 'u', trust: 80, roots })], { agents: [...agents, agent('u', null, 40)] }),
      ).scores['t'];
    expect(byNobody({ acme: 1, bolt: 0 })).toBe(byNobody({ acme: 1 }));
    expect(byNobody({})).toBe(byNobody({ none: 1 }));
    expect(byNobody({ acme: 0 })).toBe(byNobody({ none: 1 }));
    expect(byNobody(null)).toBe(byNobody({ none: 1 }));
    // One root has 9 percent, two have 18.
    expect([byNobody({ acme: 1 }), byNobody({ none: 1 })]).toEqual([45, 51]);
  });

  test('names are names, also those that objects have by themselves', () => {
    const named = (id: string): unknown =>
      scores(
        line([review({ receiver: id }), review({ reviewer: 'u', receiver: id, trust: 75, roots: { [id]: 1 } })], {
          agents: [agent('a1', id), agent(id, null, 40), agent('u', null, 75)],
        }),
      ).scores[id];
    for (const id of ['__proto__', 'constructor', 'toString', '0'])
      expect([id, named(id)]).toEqual([id, named('plain')]);
  });

  test('an adopted agent is unaffiliated for the third voice; one of 75 without an organisation has no record', () => {
    const customers = ['x', 'y', 'z'].map((name) => agent(name, name));
    const more = { agents: [agent('t', 'acme', 40), agent('v', null, 75), ...customers], anchors: ['x', 'y', 'z'] };
    const praise = ['x', 'y', 'z'].map((reviewer) => review({ reviewer }));
    const voices = scores(line([...praise, ...praise], more)).scores['t'];
    const without = scores(line([...praise, ...praise], { ...more, anchors: ['x', 'y'] })).scores['t'];
    expect([voices, without]).toEqual([76, 62]);
    const bad = ['x', 'y', 'z'].map((reviewer) => review({ reviewer, receiver: 'v', success: false, score: 1 }));
    const { priors, scores: all } = scores(line(bad, more));
    expect(priors).toEqual({ acme: 75, x: 75, y: 75, z: 75 });
    expect(all['v']).toBeLessThan(50);
  });

  test('instants have offsets and fractions; of reviews at the same instant the line gives the order', () => {
    const at = (reviewed_at: string): object => review({ reviewed_at, trust: 80 });
    const twice = scores(line([at('2026-01-01T01:00:00.000+01:00'), at('2026-03-31T23:30:00.5-00:30')]));
    expect(twice).toEqual(scores(line([at('2026-01-01t00:00:00z'), at('2026-04-01T00:00:00.5Z')])));
    const first = { reviewed_at: '2026-01-01T00:00:00Z', trust: 80 };
    const [good, bad] = [review(first), review({ ...first, success: false, score: 1 })];
    expect(scores(line([good, bad])).scores['t']).not.toBe(scores(line([bad, good])).scores['t']);
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
    ['a root without a name', line([review({ reviewer: 't', roots: { '': 1 } })]), /^reviews\[0\]\.roots/],
    ['a negative share', line([review({ reviewer: 't', roots: { x: 2, y: -1 } })]), /^reviews\[0\]\.roots\.y: /],
    ['roots in a list', line([review({ reviewer: 't', roots: ['acme'] })]), /^reviews\[0\]\.roots: /],
    ['an anchor that is none', line([], { anchors: [7] }), /^anchors\[0\]: /],
  ])('with %s is refused: one line that names the fault', (_name, bad, fault) => {
    expect(() => scores(line([review()]))).not.toThrow();
    expect(() => parseSmallLog(bad)).toThrow(BadHistoryError);
    expect(() => parseSmallLog(bad)).toThrow(fault);
    expect(() => parseSmallLog(bad)).toThrow(/^[^\n]+$/);
  });
});
