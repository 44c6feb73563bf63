import { z } from 'zod';

/** An integer in a query string: decimal digits with an optional sign, nothing else. */
const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/u, { message: 'must be an integer' })
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** An integer of a query, `fallback` where it is absent. */
export const queryInteger = (min: number, max: number, fallback: number) =>
  integerText(min, max)
    .default(fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, description: `Default ${fallback}.` });

/** An integer of a query whose absence means something of its own, which `absent` says. */
export const optionalQueryInteger = (min: number, max: number, absent: string) =>
  integerText(min, max).optional().meta({ type: 'integer', minimum: min, maximum: max, description: absent });

/** What a listing that comes in pages says of itself beside the page. */
export const pageHeaders = {
  'X-Total-Count': 'Number of entries in all pages.',
  Link: 'RFC 8288 links to the next and previous page.',
};
