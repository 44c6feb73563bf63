import { z } from 'zod';
import { credentialKind } from '../actor.ts';
import { optionalQueryInteger } from '../http/query-integer.ts';
import { limits } from '../limits.ts';
import { positionText, text } from '../text.ts';

const types = z
  .string()
  .regex(/^[A-Za-z]{1,64}(?:,[A-Za-z]{1,64}){0,31}$/u, {
    message: 'must be up to 32 names of event types with commas between them',
  })
  .transform((list) => list.split(','));

/** A `+` that was not percent-encoded arrives as a space. */
const isUnencodedOffset = (text: unknown): boolean => typeof text === 'string' && / \d\d:\d\d$/u.test(text);

const position = (description: string) => positionText.optional().describe(description);
// The calendar of the database goes from the year 1 before Christ to the year 1 after.
const moment = (description: string) =>
  z.iso
    .datetime({
      offset: true,
      error: (issue) =>
        isUnencodedOffset(issue.input)
          ? 'must be an RFC 3339 time with an offset, whose + is written %2B in a query'
          : 'must be an RFC 3339 time with an offset',
    })
    .refine((text) => !text.startsWith('0000'), { message: 'must not be in a year 0' })
    .optional()
    .describe(description);

/** The query of every listing of events. */
export const eventsQuery = {
  type: types.optional().describe('Only events of these types: names separated by commas.'),
  correlation_id: text(limits.requestIdCharsMax, 1)
    .optional()
    .describe('Only events of one request: its X-Request-Id.'),
  transaction_id: text(limits.agentIdCharsMax, 1)
    .optional()
    .describe(
      'Only events of one call: its start, its end, its review, the answer to that, its voiding, and the payments that were asked for or made in it.',
    ),
  credential: z
    .union([credentialKind, z.uuid()])
    .optional()
    .describe("Only events that a credential of this kind has proved, or the organisation's named key of this id."),
  from: moment('Only events recorded at or after this moment, RFC 3339.'),
  to: moment('Only events recorded before this moment, RFC 3339.'),
  after: position(
    'Only events after this position, which is one that was given out: of an event, or up to which an export went.',
  ),
  before: position('Only events before this position.'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Oldest or newest first.'),
  limit: optionalQueryInteger(1, limits.eventsPageMax, `Events on a page; default: ${limits.eventsPageDefault}.`),
  follow: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true: server-sent events as they happen; so does Accept: text/event-stream. From `after` on, else only new ones. ' +
        'Not with from, to, before, limit, order=desc or format.',
    ),
  format: z
    .enum(['json', 'jsonl'])
    .optional()
    .describe(
      'jsonl: all matching events as JSON Lines, whose last line confirms completeness; so does Accept: application/x-ndjson. ' +
        'Not with limit, order=desc or follow.',
    ),
};
