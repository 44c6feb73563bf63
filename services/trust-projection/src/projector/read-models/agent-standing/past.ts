import { defineTable, type Rows } from '@agent-trust/projections';
import { agentStandings, type EarnedCounts } from './tables.ts';

/** Entries in one row. More make fewer rows of a long past, but each change rewrites a longer row. */
const entriesPerRow = 32;

/** Earlier standings of an agent, many a row; `entries` are lines, oldest first. */
export const pastStandings = defineTable({
  name: 'agent_standing_past',
  columns: { agentId: 'text', untilPosition: 'bigint', entries: 'text' },
  key: ['agentId', 'untilPosition'],
  appendOnly: true,
});

export const openPastStandings = defineTable({
  name: 'agent_standing_past_open',
  columns: { agentId: 'text', entryCount: 'integer', entries: 'text' },
  key: ['agentId'],
});

type LineOfCounts = [
  until: string,
  transactions: number,
  reviews: number,
  successes: number,
  lastActiveMs: number,
  lastTransactionMs: number | null,
];
type Line = [...LineOfCounts, liveness: unknown[] | null];

const linesOf = (entries: string): Line[] => JSON.parse(`[${entries}]`) as Line[];

/** Keeps the standing as an event found it, under the position of that event. */
export function keepPastStanding(rows: Rows, agentId: string, untilPosition: bigint): void {
  const before = rows.getBefore(agentStandings, agentId);
  const after = rows.get(agentStandings, agentId);
  if (before === undefined || after === undefined || isSameStanding(before, after)) return;
  const open = rows.get(openPastStandings, agentId);
  const entryCount = (open?.entryCount ?? 0) + 1;
  const line = lineOf(untilPosition, before);
  // Only concatenated: reading the earlier entries at each event would cost more than all else that is done here.
  const entries = entryCount === 1 ? line : `${open?.entries},${line}`;
  if (entryCount < entriesPerRow) rows.put(openPastStandings, { agentId, entryCount, entries });
  else {
    rows.insert(pastStandings, { agentId, untilPosition, entries });
    rows.put(openPastStandings, { agentId, entryCount: 0, entries: '' });
  }
}

export function isSameStanding(a: EarnedCounts, b: EarnedCounts): boolean {
  return (
    a.transactionCount === b.transactionCount &&
    a.reviewCount === b.reviewCount &&
    a.successCount === b.successCount &&
    a.lastActive.getTime() === b.lastActive.getTime() &&
    a.lastTransactionAt?.getTime() === b.lastTransactionAt?.getTime() &&
    a.liveness === b.liveness
  );
}

/** What an agent had earned until the event at a position, as an entry. */
export function lineOf(until: bigint, earned: EarnedCounts): string {
  const line: LineOfCounts = [
    String(until),
    earned.transactionCount,
    earned.reviewCount,
    earned.successCount,
    earned.lastActive.getTime(),
    earned.lastTransactionAt?.getTime() ?? null,
  ];
  // A liveness is JSON already.
  return `${JSON.stringify(line).slice(0, -1)},${earned.liveness ?? 'null'}]`;
}

/** What held at a position: the oldest entry that ended after it. Null if none did. */
export function heldAt(entries: string, position: bigint): EarnedCounts | null {
  const held = linesOf(entries).find(([until]) => BigInt(until) > position);
  if (held === undefined) return null;
  const [, transactionCount, reviewCount, successCount, lastActiveMs, lastTransactionMs, liveness] = held;
  return {
    transactionCount,
    reviewCount,
    successCount,
    lastActive: new Date(lastActiveMs),
    lastTransactionAt: lastTransactionMs === null ? null : new Date(lastTransactionMs),
    liveness: liveness === null ? null : JSON.stringify(liveness),
  };
}
