import type { AgentEvidence, RecentReview, RootColumns, RootShare } from '@agent-trust/trust-policy';

/** A recent review as a list: names would be most of what is stored. */
export type PackedReview = [
  sequence: number,
  newer: number,
  reviewer: string,
  at: number,
  trust: number,
  value: number,
  unit: number,
  roots: readonly RootShare[],
  roams: 0 | 1,
];

/** The columns of numbers, in the order in which they are stored. */
const numberColumns = [
  'live',
  'weights',
  'weightErrors',
  'values',
  'valueErrors',
  'plainFrom',
  'recentWeights',
  'recentValues',
] as const satisfies (keyof RootColumns)[];

/** The evidence of one root: its number in each of `numberColumns`, and its recent reviews. */
export type RootState = { root: string; numbers: readonly number[]; recent: readonly RecentReview[] };

/** `RootState` as one list; `Recent` is how its recent reviews are written. */
export type PackedRoot<Recent> = [root: string, ...numbers: number[], recent: Recent[]];

/** Evidence as one list. */
export type PackedEvidence = [
  prior: number,
  newestAt: number | null,
  reviewCount: number,
  epoch: number,
  roots: PackedRoot<PackedReview>[],
];

export function packReview(review: RecentReview): PackedReview {
  const { sequence, newer, reviewer, at, trust, value, unit, roots, roams } = review;
  return [sequence, newer, reviewer, at, trust, value, unit, roots, roams ? 1 : 0];
}

export function unpackReview([sequence, newer, reviewer, at, trust, value, unit, roots, roams]: PackedReview) {
  return { at, trust, value, unit, roots, sequence, reviewer, newer, roams: roams === 1 } satisfies RecentReview;
}

/** One root of evidence; `place` is one of those that the evidence has. */
export function rootAt(columns: RootColumns, place: number): RootState {
  const numbers = numberColumns.map((name) => columns[name][place] ?? 0);
  return { root: columns.roots[place] ?? '', numbers, recent: columns.recent[place] ?? [] };
}

export function packRoot<Recent>(
  { root, numbers, recent }: RootState,
  write: (review: RecentReview) => Recent,
): PackedRoot<Recent> {
  return [root, ...numbers, recent.map(write)];
}

export function unpackRoot<Recent>(packed: PackedRoot<Recent>, read: (recent: Recent) => RecentReview): RootState {
  const recent = packed.at(-1) as Recent[];
  return { root: packed[0], numbers: packed.slice(1, -1) as number[], recent: recent.map(read) };
}

/** Evidence as text: the same text for equal evidence. */
export function packEvidence(evidence: AgentEvidence): string {
  return JSON.stringify(packedEvidence(evidence));
}

export function packedEvidence(evidence: AgentEvidence): PackedEvidence {
  const roots = evidence.roots.map((_, place) => packRoot(rootAt(evidence, place), packReview));
  return [evidence.prior, evidence.newestAt, evidence.reviewCount, evidence.epoch, roots];
}

/** The evidence of a list that `packedEvidence` made. */
export function unpackEvidence([prior, newestAt, reviewCount, epoch, roots]: PackedEvidence): AgentEvidence {
  return { prior, newestAt, reviewCount, epoch, ...columnsOf(roots.map((packed) => unpackRoot(packed, unpackReview))) };
}

/** The columns of roots that are given in alphabetical order. */
export function columnsOf(states: readonly RootState[]): RootColumns {
  const numbers = numberColumns.map((name, index) => [name, states.map((state) => state.numbers[index] ?? 0)]);
  return {
    ...(Object.fromEntries(numbers) as Record<(typeof numberColumns)[number], number[]>),
    roots: states.map(({ root }) => root),
    recent: states.map(({ recent }) => recent),
  };
}
