import { describe, expect, it } from 'vitest';
import { everyItem, nextPageOf, type PageQuery, totalOf } from './pages.ts';

describe('the next page', () => {
  it('is the one that Link names, with the rest of the query unchanged', () => {
    const link = '</registry?offset=0&limit=2>; rel="prev", </registry?offset=4&limit=2>; rel="next"';
    expect(nextPageOf({ limit: 2, offset: 2, min_trust_score: 50 } as PageQuery, link)).toEqual({
      limit: 2,
      offset: 4,
      min_trust_score: 50,
    });
  });

  it('is requested only from the registry, whatever the link’s address', () => {
    expect(nextPageOf({}, '<https://elsewhere.test/x?offset=5&limit=1&secret=1>; rel="next"')).toEqual({
      offset: 5,
      limit: 1,
    });
  });

  it('is absent without a link, or with one that does not lead forward', () => {
    const links = [
      null,
      '',
      '</registry?offset=0>; rel="prev"',
      '</registry>; rel="next"',
      '</registry?offset=2>; rel="next"',
      '<http://[>; rel="next"',
    ];
    for (const link of links) expect(nextPageOf({ offset: 2 }, link)).toBeNull();
  });

  it('is requested when it is needed', async () => {
    const queries: PageQuery[] = [];
    const pages = (query: PageQuery) => {
      queries.push(query);
      const offset = query.offset ?? 0;
      return Promise.resolve({
        items: [offset, offset + 1],
        next: offset < 4 ? { ...query, offset: offset + 2 } : null,
      });
    };
    const read: number[] = [];
    for await (const item of everyItem({ limit: 2 }, pages)) {
      read.push(item);
      if (item === 2) break;
    }
    expect([read, queries.length]).toEqual([[0, 1, 2], 2]);
    const all: number[] = [];
    for await (const item of everyItem({ limit: 2 }, pages)) all.push(item);
    expect(all).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

it('the total is a whole number or none', () => {
  expect(totalOf(new Headers({ 'x-total-count': '12' }))).toBe(12);
  expect(totalOf(new Headers({ 'x-total-count': 'many' }))).toBeNull();
  expect(totalOf(new Headers())).toBeNull();
});
