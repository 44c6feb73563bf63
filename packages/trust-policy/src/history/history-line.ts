import { z } from 'zod';
import { type Review, splitOf } from '../v1/review.ts';

/** Rounded shares (0.33 three times) are accepted; a larger difference is a mistake. */
export const SHARES_SUM_TOLERANCE = 0.05;
/** Longest fault text, so that hostile input cannot fill the error stream. */
export const FAULT_CHARACTERS_MAX = 300;

export type History = { prior: number; reviews: Review[] };

/** An input line that cannot be scored. The message is one line with the path of the fault. */
export class BadHistoryError extends Error {
  override readonly name = 'BadHistoryError';
}

/** Parses one line of `trust:score` input, or throws BadHistoryError. Unknown members are ignored; for the roots see `splitOf`. */
export function parseHistory(line: string): History {
  return parseLine(line, historySchema, 'history');
}

/** The value that a line of JSON has by a schema. Throws BadHistoryError; `whole` is the name of what the line contains. */
export function parseLine<T>(line: string, schema: z.ZodType<T>, whole: string): T {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw new BadHistoryError(oneLine(`not JSON: ${(error as Error).message}`));
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new BadHistoryError(faultOf(parsed.error, whole));
  return parsed.data;
}

/** An RFC 3339 date-time. */
export const instant = z.string().transform((text, context): number => {
  const at = parseRfc3339(text);
  if (at !== null) return at;
  context.addIssue({ code: 'custom', message: 'is not an RFC 3339 date-time' });
  return z.NEVER;
});

/** Root → share of a review's weight. Shares may be rounded. Not `z.record`, which skips a root named `__proto__`. */
export const sharesSchema = z.unknown().transform((roots, context): Record<string, number> => {
  if (typeof roots !== 'object' || roots === null || Array.isArray(roots)) {
    context.addIssue({ code: 'custom', message: 'is not an object of roots and their shares' });
    return z.NEVER;
  }
  const shares = Object.entries<unknown>({ ...roots });
  for (const [root, share] of shares) {
    if (root !== '' && typeof share === 'number' && Number.isFinite(share) && share >= 0) continue;
    context.addIssue({ code: 'custom', path: [root], message: 'must be a named root with a share of at least 0' });
    return z.NEVER;
  }
  const numbers = shares.map(([root, share]): [string, number] => [root, Number(share)]);
  if (!isWhole(numbers.map(([, share]) => share))) {
    context.addIssue({ code: 'custom', message: 'has shares that do not sum to 1' });
  }
  return Object.fromEntries(numbers);
});

const reviewSchema = z
  .object({
    reviewed_at: instant,
    reviewer: z.string().min(1),
    org_domain: z.string().min(1).nullish(),
    roots: sharesSchema.nullish(),
    trust: z.number().min(0).max(100),
    success: z.boolean(),
    score: z.int().min(1).max(10),
  })
  .transform(
    ({ reviewed_at: reviewedAt, org_domain: orgDomain, roots, ...review }): Review => ({
      ...review,
      reviewedAt,
      roots: splitOf(orgDomain, roots),
    }),
  );

const reviewsSchema = z.array(reviewSchema).superRefine(oldestFirst);

/** Refuses a review that is dated before the one above it. */
export function oldestFirst(reviews: readonly { reviewedAt: number }[], context: z.RefinementCtx): void {
  const late = reviews.findIndex((review, index) => review.reviewedAt < (reviews[index - 1]?.reviewedAt ?? -Infinity));
  if (late === -1) return;
  context.addIssue({
    code: 'custom',
    path: [late, 'reviewed_at'],
    message: 'is before the review above it; oldest come first',
  });
}

const historySchema = z.object({ prior: z.number().min(0).max(100), reviews: reviewsSchema });

const isWhole = (shares: readonly number[]): boolean => {
  const sum = shares.reduce((total, share) => total + share, 0);
  return sum === 0 || Math.abs(sum - 1) <= SHARES_SUM_TOLERANCE;
};

const faultOf = (error: z.ZodError, whole: string): string => {
  const issue = error.issues[0];
  if (issue === undefined) return `is not a ${whole}`;
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return oneLine(`${path === '' ? whole : path.replace(/^\./, '')}: ${issue.message}`);
};

const oneLine = (text: string): string => {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length > FAULT_CHARACTERS_MAX ? `${plain.slice(0, FAULT_CHARACTERS_MAX)}…` : plain;
};

const FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Milliseconds since the Unix epoch of an RFC 3339 date-time, or null for any other text. Digits beyond the millisecond are kept as a fraction, which
 * `Date` would drop. A leap second counts as the next second.
 */
export function parseRfc3339(text: string): number | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '0', sign] = match.slice(7);
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (day < 1 || day > (DAYS[month - 1] ?? 0) || (month === 2 && day === 29 && !isLeapYear(year))) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offset = (sign === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  return date.getTime() - offset + Number(`0${fraction}`) * 1000;
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
