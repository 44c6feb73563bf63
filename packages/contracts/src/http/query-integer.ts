import { z } from 'zod';
import { integerHeader, textHeader } from './headers.ts';
import type { Headers } from './route.ts';

/** An integer in a query string: decimal digits with an optional sign, nothing else. */
const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/u, {
      error: ({ input }) => (/^-?\d+$/u.test(String(input)) ? 'is too large' : 'must be an integer'),
    })
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** An integer of a query, `fallback` where it is absent. */
export function queryInteger(min: number, max: number, fallback: number, description: string) {
  return integerText(min, max).default(fallback).meta({ type: 'integer', minimum: min, maximum: max, description });
}

/** An integer of a query without a default; `absent` describes it. */
export function optionalQueryInteger(min: number, max: number, absent: string) {
  return integerText(min, max).optional().meta({ type: 'integer', minimum: min, maximum: max, description: absent });
}

/** Where a page begins. */
export function queryOffset(max: number) {
  return queryInteger(0, max, 0, 'How many entries to skip.');
}

/** What a listing in pages takes: the size of the page, and where it begins. */
export function pageQuery(entries: string, limitMax: number, limitDefault: number, offsetMax: number) {
  return { limit: queryInteger(1, limitMax, limitDefault, `${entries} on the page.`), offset: queryOffset(offsetMax) };
}

/** The headers of a page. */
export const pageHeaders: Headers = {
  'X-Total-Count': integerHeader('Number of entries in all pages.', 125),
  Link: textHeader(
    'RFC 8288 links to the next and previous page, if any.',
    '<https://registry.example/registry?limit=50&offset=50>; rel="next"',
  ),
};
