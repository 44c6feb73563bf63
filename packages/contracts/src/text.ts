import { z } from 'zod';
import { limits } from './limits.ts';

/** Number of Unicode code points in a text; lengths on the wire are counted so, never in UTF-16 units. */
export function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * A text that every part of the system can hold: at most `charsMax` code points, no U+0000 (Postgres cannot store it)
 * and no lone surrogates (UTF-8 cannot encode them).
 */
export function text(charsMax: number = limits.freeTextCharsMax, charsMin = 0): z.ZodString {
  return (
    z
      .string()
      .refine((value) => value.isWellFormed() && !value.includes('\u0000'), {
        message: 'must be well-formed Unicode without U+0000',
        abort: true,
      })
      .refine((value) => value.length >= charsMin, {
        message: `must have at least ${charsMin} character${charsMin === 1 ? '' : 's'}`,
      })
      // No code point takes more than two UTF-16 units, so the cheap comparison settles nearly every case.
      .refine(
        (value) => value.length <= charsMax || (value.length <= charsMax * 2 && codePointCount(value) <= charsMax),
        {
          message: `must have at most ${charsMax} characters`,
        },
      )
      .meta({ maxLength: charsMax, ...(charsMin > 0 ? { minLength: charsMin } : {}) })
  );
}

export const nullableText: z.ZodNullable<z.ZodString> = z.string().nullable();

/** A time in an answer; the description ends with its form. */
export function moment(description: string): z.ZodString {
  return z.string().describe(`${description}, RFC 3339 in UTC.`);
}
export function nullableMoment(description: string): z.ZodNullable<z.ZodString> {
  return nullableText.describe(`${description}, RFC 3339 in UTC.`);
}

/**
 * Characters that nobody sees, by which two names could differ or which turn the text around them: controls, line separators, bidirectional and
 * zero-width characters, blank letters. A variation selector stays: many an emoji is written with one.
 */
const unseen = /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--\p{Variation_Selector}]/v;

/**
 * Characters that break a line, turn the text around them, or carry a text that only a machine reads. Joiners and the usual variation selectors
 * stay: scripts and emoji need them.
 */
const unruly =
  /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--\p{Join_Control}--[\u{fe00}-\u{fe0f}]]/v;
const legible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** What somebody says to others in one line: 1 to `charsMax` code points, something of it to be seen, and nothing hidden in it. */
export function statement(charsMax: number): z.ZodString {
  return text(charsMax, 1)
    .refine((value) => !unruly.test(value), {
      message: 'must not contain control characters, line breaks, or hidden or bidirectional characters',
    })
    .refine((value) => legible.test(value), { message: 'must not be blank' });
}

/** A text by which others tell somebody apart: 1 to `charsMax` code points, none of them unseen. */
export function distinctName(charsMax: number): z.ZodString {
  return text(charsMax, 1).refine((value) => !unseen.test(value), {
    message: 'must not contain control characters, or zero-width or bidirectional ones',
  });
}

/** What an agent_id may begin with. */
export const agentIdPrefix: z.ZodString = distinctName(limits.agentIdCharsMax);

/** An agent's identifier: 1–128 code points, case-sensitive, none of them unseen. `.` and `..` are no segments of a path. */
export const agentId: z.ZodString = agentIdPrefix
  .refine((value) => value !== '.' && value !== '..', { message: 'must not be . or ..' })
  .meta({ description: 'Identifies the agent, in both universes.', examples: ['acme-quote-bot'] });

/** A moment as RFC 3339 text in UTC. */
export const timestamp: z.ZodISODateTime = z.iso.datetime({
  offset: true,
  error: 'must be an RFC 3339 time with an offset',
});

/** Position in the event log as decimal text: log positions may exceed 2^53. */
export const positionText: z.ZodString = z
  .string()
  .regex(/^\d{1,20}$/, { error: 'must be a position of the log, decimal digits' });

/** SHA-256 as 64 lower-case hexadecimal digits; the only form in which a secret leaves the gateway. */
export const sha256Hex: z.ZodString = z.string().regex(/^[0-9a-f]{64}$/);
