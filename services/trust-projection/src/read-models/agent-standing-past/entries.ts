import type { AgentStandingRow } from '../agent-standing/tables.ts';

/** What an agent had earned, without its score: that is the policy's, and kept with its evidence. */
export type EarnedCounts = Pick<
  AgentStandingRow,
  'transactionCount' | 'reviewCount' | 'successCount' | 'lastActive' | 'lastTransactionAt'
>;

type Line = [
  until: string,
  transactions: number,
  reviews: number,
  successes: number,
  lastActiveMs: number,
  lastTransactionMs: number | null,
];

export const isSameStanding = (a: EarnedCounts, b: EarnedCounts): boolean =>
  a.transactionCount === b.transactionCount &&
  a.reviewCount === b.reviewCount &&
  a.successCount === b.successCount &&
  a.lastActive.getTime() === b.lastActive.getTime() &&
  a.lastTransactionAt?.getTime() === b.lastTransactionAt?.getTime();

/** One line that says what an agent had earned until the event at a position. */
export const lineOf = (until: bigint, earned: EarnedCounts): string => {
  const line: Line = [
    String(until),
    earned.transactionCount,
    earned.reviewCount,
    earned.successCount,
    earned.lastActive.getTime(),
    earned.lastTransactionAt?.getTime() ?? null,
  ];
  return JSON.stringify(line);
};

/** The oldest entry that ended after a position: what held at it. Null when none of them did. */
export const heldAt = (entries: string, position: bigint): EarnedCounts | null => {
  if (entries === '') return null;
  for (const text of entries.split('\n')) {
    const [until, transactionCount, reviewCount, successCount, lastActiveMs, lastTransactionMs] = JSON.parse(
      text,
    ) as Line;
    if (BigInt(until) <= position) continue;
    return {
      transactionCount,
      reviewCount,
      successCount,
      lastActive: new Date(lastActiveMs),
      lastTransactionAt: lastTransactionMs === null ? null : new Date(lastTransactionMs),
    };
  }
  return null;
};
