import { registryRoute } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { noRoute } from './routes.ts';
import { pageLinks } from './public-document.ts';
import { parse } from './endpoint.ts';

const itemsOf = (schema: z.ZodType, value: unknown, place: 'body' | 'query' = 'body'): unknown => {
  try {
    parse(place, schema, value);
    return [];
  } catch (error) {
    return (error as { items: unknown }).items;
  }
};

describe('validation items', () => {
  it('name the location inside the intended alternative', () => {
    const schema = z.object({ a: z.union([z.string(), z.object({ b: z.array(z.number()) })]) });
    expect(itemsOf(schema, { a: { b: [1, 'x'] } })).toMatchObject([
      { loc: ['body', 'a', 'b', 1], type: 'invalid_type' },
    ]);
    expect(itemsOf(schema, { a: 1 })).toMatchObject([{ loc: ['body', 'a'], type: 'invalid_union' }]);
    expect(itemsOf(schema, { a: 'x' })).toEqual([]);
  });

  it('call a violated rule a value error', () => {
    expect(
      itemsOf(
        z.string().refine(() => false, { message: 'must not be' }),
        'x',
      ),
    ).toEqual([{ loc: ['body'], msg: 'must not be', type: 'value_error' }]);
  });

  it('say one thing of a number that is too large, and one of each such number', () => {
    const schema = z.object({ a: z.int().min(-5).max(10), b: z.int().min(-5).max(10) });
    const msg = 'must be at most 10';
    expect(itemsOf(schema, { a: 1e30, b: 1e30 })).toEqual([
      { loc: ['body', 'a'], msg, type: 'too_big' },
      { loc: ['body', 'b'], msg, type: 'too_big' },
    ]);
    expect(itemsOf(schema, { a: -1e30, b: 11 })).toEqual([
      { loc: ['body', 'a'], msg: 'must be at least -5', type: 'too_small' },
      { loc: ['body', 'b'], msg, type: 'too_big' },
    ]);
    expect(itemsOf(schema, { a: -5, b: 10 })).toEqual([]);
  });

  it('say of a parameter that is given more than once what is wrong, and of a list in a body what it must be', () => {
    const schema = z.object({ limit: z.string().optional() });
    const msgOf = (place: 'body' | 'query'): unknown => itemsOf(schema, { limit: ['1', '2'] }, place);
    expect(msgOf('query')).toEqual([{ loc: ['query', 'limit'], msg: 'is given more than once', type: 'invalid_type' }]);
    expect(msgOf('body')).toMatchObject([{ msg: expect.stringContaining('received array') }]);
    expect(itemsOf(schema, { limit: '1' }, 'query')).toEqual([]);
  });
});

describe('page links', () => {
  it('lead forward and back', () => {
    const page = { limit: 10, offset: 10, min_trust_score: 0 };
    expect(pageLinks('http://x/registry', page, 25)).toBe(
      '<http://x/registry?limit=10&offset=20&min_trust_score=0>; rel="next", <http://x/registry?limit=10&offset=0&min_trust_score=0>; rel="prev"',
    );
    expect(pageLinks('http://x', { limit: 10, offset: 0 }, 10)).toBe('');
    expect(pageLinks('http://x', { limit: 10, offset: 1_000 }, 25)).toBe('<http://x?limit=10&offset=15>; rel="prev"');
    expect(pageLinks('http://x', { limit: 10, offset: 5 }, 0)).toBe('<http://x?limit=10&offset=0>; rel="prev"');
  });

  it('name pages that the registry accepts', () => {
    const query = new URL(/<(.*?)>/u.exec(pageLinks('http://x', { limit: 10, offset: 0 }, 25))?.[1] ?? '').searchParams;
    expect(registryRoute.query?.parse(Object.fromEntries(query))).toMatchObject({ limit: 10, offset: 10 });
  });
});

describe('requests without a route', () => {
  const paths = new Map([
    ['/agent/:agent_id', ['GET', 'HEAD']],
    ['/rotate', ['POST', 'GET']],
  ]);

  it('are led to the description of the interface, unless the path has another method', () => {
    expect(noRoute(paths, 'GET', '/').message).toBe('there is nothing at this path; GET /docs describes the interface');
    expect(noRoute(paths, 'PUT', '/rotate').message).toBe('PUT is not allowed here; allowed: POST, GET');
  });

  it.each([
    ['PUT', '/agent/x', 'method_not_allowed'],
    ['PUT', '/agent/', 'route_not_found'],
    ['PUT', '/agent/x/y', 'route_not_found'],
    ['HEAD', '/rotate?token=x', 'method_not_allowed'],
    ['GET', '/Rotate', 'route_not_found'],
    ['GET', '*', 'route_not_found'],
  ])('%s %s is %s', (method, url, code) => {
    expect(noRoute(paths, method, url).code).toBe(code);
  });
});
