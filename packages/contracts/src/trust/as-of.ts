import { z } from 'zod';
import { textHeader } from '../http/headers.ts';
import type { Headers } from '../http/route.ts';
import { positionText, timestamp } from '../text.ts';

/** A moment of the registry: a place in its log, or a time. */
export const asOf = z.union([z.object({ position: positionText }), z.object({ time: timestamp })]);
export type AsOf = z.infer<typeof asOf>;

/** A `+` that was not percent-encoded arrives as a space; nothing else can stand before an offset. */
const unencodedPlus = / (?=\d\d:\d\d$)/u;

/** The first and last moment that both RFC 3339 in UTC and the database can express. An offset may lead beyond them, where no event is. */
const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

const readAsOf = (text: string): AsOf | null => {
  if (positionText.safeParse(text).success) return { position: BigInt(text).toString() };
  const time = timestamp.safeParse(text.toUpperCase().replace(unencodedPlus, '+'));
  const ms = time.success ? Date.parse(time.data) : Number.NaN;
  if (Number.isNaN(ms)) return null;
  return { time: new Date(Math.min(Math.max(ms, earliestMs), latestMs)).toISOString() };
};

/** `as_of` of a query string. */
export const asOfQuery = z
  .string()
  .transform((text, context): AsOf => {
    const read = readAsOf(text);
    if (read !== null) return read;
    context.addIssue({ code: 'custom', message: 'must be an RFC 3339 time with an offset, or a position of the log' });
    return z.NEVER;
  })
  .optional()
  .meta({
    type: 'string',
    description:
      'The answer as of that moment: an RFC 3339 time, or a position of the log. Not in the future; what did not exist then is not found.',
    examples: ['2026-01-15T09:30:00Z', '4711'],
  });

/** On an answer of the past to which exchanges have been archived since. */
export const archivedToHeader: Headers = {
  'X-Registry-Archived-To': textHeader(
    'With as_of, if exchanges of that time were archived: the position up to which they were. transaction_count, last_active, ' +
      'last_transaction_at and liveness may then be of fewer exchanges than they were; scores and reviews are what they were.',
    '4711',
  ),
};
