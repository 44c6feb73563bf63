import { z } from 'zod';
import { type Review, splitOf } from '../v1/review.ts';
import { parseRfc3339 } from './rfc3339.ts';

/** Rounded shares (0.33 three times) are accepted; a larger difference is a mistake. */
export const SHARES_SUM_TOLERANCE = 0.05;
/** Longest fault text, so that hostile input cannot fill the error stream. */
export const FAULT_CHARACTERS_MAX = 300;

/** The history of one agent. */
export type History = { prior: number; reviews: Review[] };

/** An input line that cannot be scored. The message is one line with the path of the fault. */
export class BadHistoryError extends Error {
  override readonly name = 'BadHistoryError';
}

/**
 * Parses one line of `trust:score` input. Unknown members are ignored; for the roots see `splitOf`.
 *
 * @throws BadHistoryError for text that is not JSON, a wrong type or range, or reviews that are not oldest first.
 */
export function parseHistory(line: string): History {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw new BadHistoryError(oneLine(`not JSON: ${(error as Error).message}`));
  }
  const parsed = historySchema.safeParse(json);
  if (!parsed.success) throw new BadHistoryError(faultOf(parsed.error));
  return parsed.data;
}

const instant = z.string().transform((text, context): number => {
  const at = parseRfc3339(text);
  if (at !== null) return at;
  context.addIssue({ code: 'custom', message: 'is not an RFC 3339 date-time' });
  return z.NEVER;
});

const sharesSchema = z
  .record(z.string().min(1), z.number().nonnegative())
  .refine((roots) => isWhole(Object.values(roots)), { message: 'has shares that do not sum to 1' });

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

const reviewsSchema = z.array(reviewSchema).superRefine((reviews, context) => {
  const late = reviews.findIndex((review, index) => review.reviewedAt < (reviews[index - 1]?.reviewedAt ?? -Infinity));
  if (late === -1) return;
  context.addIssue({
    code: 'custom',
    path: [late, 'reviewed_at'],
    message: 'is before the review above it; oldest come first',
  });
});

const historySchema = z.object({ prior: z.number().min(0).max(100), reviews: reviewsSchema });

const isWhole = (shares: readonly number[]): boolean => {
  const sum = shares.reduce((total, share) => total + share, 0);
  return sum === 0 || Math.abs(sum - 1) <= SHARES_SUM_TOLERANCE;
};

const faultOf = (error: z.ZodError): string => {
  const issue = error.issues[0];
  if (issue === undefined) return 'is not a history';
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return oneLine(`${path === '' ? 'history' : path.replace(/^\./, '')}: ${issue.message}`);
};

const oneLine = (text: string): string => {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length > FAULT_CHARACTERS_MAX ? `${plain.slice(0, FAULT_CHARACTERS_MAX)}…` : plain;
};
