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

export function isSameStanding(a: EarnedCounts, b: EarnedCounts): boolean {
  return (
    a.transactionCount === b.transactionCount &&
    a.reviewCount === b.reviewCount &&
    a.successCount === b.successCount &&
    a.lastActive.getTime() === b.lastActive.getTime() &&
    a.lastTransactionAt?.getTime() === b.lastTransactionAt?.getTime()
  );
}

/** One line that says what an agent had earned until the event at a position. */
export function lineOf(until: bigint, earned: EarnedCounts): string {
  const line: Line = [
    String(until),
    earned.transactionCount,
    earned.reviewCount,
    earned.successCount,
    earned.lastActive.getTime(),
    earned.lastTransactionAt?.getTime() ?? null,
  ];
  // Not a template: what that makes is held as its pieces, which take ten times the memory for as long as nobody reads the text.
  return JSON.stringify(line);
}

/** The oldest entry that ended after a position: what held at it. Null when none of them did. */
export function heldAt(entries: string, position: bigint): EarnedCounts | null {
  const lines = JSON.parse(`[${entries}]`) as Line[];
  const held = lines.find(([until]) => BigInt(until) > position);
  if (held === undefined) return null;
  const [, transactionCount, reviewCount, successCount, lastActiveMs, lastTransactionMs] = held;
  return {
    transactionCount,
    reviewCount,
    successCount,
    lastActive: new Date(lastActiveMs),
    lastTransactionAt: lastTransactionMs === null ? null : new Date(lastTransactionMs),
  };
}
