import { describe, expect, test } from 'vitest';
import { BadHistoryError, parseHistory, parseRfc3339 } from './history-line.ts';

describe('parseRfc3339', () => {
  test.each([
    ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
    ['2026-01-01t02:00:00.25+02:00', Date.UTC(2026, 0, 1) + 250],
    ['2025-12-31 19:30:00-04:30', Date.UTC(2026, 0, 1)],
    ['2024-02-29T23:59:60Z', Date.UTC(2024, 2, 1)],
    ['2026-01-01T00:00:00.0005Z', Date.UTC(2026, 0, 1) + 0.5],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
  ])('%s', (text, at) => expect(parseRfc3339(text)).toBe(at));

  test.each([
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+0200',
    '2026-01-01T00:00:00+24:00',
    ' 2026-01-01T00:00:00Z',
    'Thu, 01 Jan 2026 00:00:00 GMT',
  ])('not %j', (text) => expect(parseRfc3339(text)).toBeNull());
});

const review = (overrides: object = {}): object => ({
  reviewed_at: '2026-01-01T00:00:00Z',
  reviewer: 'r1',
  org_domain: 'x.test',
  roots: { 'x.test': 1 },
  trust: 75,
  success: true,
  score: 9,
  ...overrides,
});
const line = (reviews: object[], prior: unknown = 75): string => JSON.stringify({ prior, reviews });

describe('a history', () => {
  test.each([
    ['not JSON', '{', /^not JSON: /],
    ['another type', '[]', /^history: /],
    ['no reviews', '{"prior":75}', /^reviews: /],
    ['a prior above 100', line([], 101), /^prior: /],
    ['a prior that is text', line([], '75'), /^prior: /],
    ['a score of 0', line([review({ score: 0 })]), /^reviews\[0\]\.score: /],
    ['a score of 11', line([review(), review({ score: 11 })]), /^reviews\[1\]\.score: /],
    ['a broken score', line([review({ score: 9.5 })]), /^reviews\[0\]\.score: /],
    ['trust above 100', line([review({ trust: 100.1 })]), /^reviews\[0\]\.trust: /],
    ['success that is no boolean', line([review({ success: 1 })]), /^reviews\[0\]\.success: /],
    ['no reviewer', line([review({ reviewer: '' })]), /^reviews\[0\]\.reviewer: /],
    ['a day that is none', line([review({ reviewed_at: '2026-02-30T00:00:00Z' })]), /^reviews\[0\]\.reviewed_at: /],
    ['a time without offset', line([review({ reviewed_at: '2026-02-03T00:00:00' })]), /^reviews\[0\]\.reviewed_at: /],
    [
      'a negative share',
      line([review({ org_domain: null, roots: { 'a.test': 2, 'b.test': -1 } })]),
      /^reviews\[0\]\.roots/,
    ],
    ['shares far from 1', line([review({ org_domain: null, roots: { 'a.test': 2 } })]), /^reviews\[0\]\.roots: /],
    ['newest first', line([review(), review({ reviewed_at: '2025-12-31T23:59:59Z' })]), /^reviews\[1\]\.reviewed_at: /],
  ])('with %s is refused: one line that names the fault', (_name, bad, fault) => {
    expect(() => parseHistory(line([review()]))).not.toThrow();
    expect(() => parseHistory(bad)).toThrow(BadHistoryError);
    expect(() => parseHistory(bad)).toThrow(fault);
    expect(() => parseHistory(bad)).toThrow(/^[^\n]+$/);
  });
});
