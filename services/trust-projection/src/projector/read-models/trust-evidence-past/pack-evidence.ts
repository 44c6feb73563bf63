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

/** What stands behind one root: its place in each column of the evidence. */
export type RootState = {
  live: number;
  weight: number;
  weightError: number;
  value: number;
  valueError: number;
  plainFrom: number;
  recentWeight: number;
  recentValue: number;
  recent: readonly RecentReview[];
};

/** `RootState` as a list; `Recent` is how its recent reviews are written. */
export type PackedRoot<Recent> = [
  root: string,
  live: number,
  weight: number,
  weightError: number,
  value: number,
  valueError: number,
  plainFrom: number,
  recentWeight: number,
  recentValue: number,
  recent: Recent[],
];

type PackedEvidence = [
  prior: number,
  newestAt: number | null,
  reviewCount: number,
  epoch: number,
  roots: PackedRoot<PackedReview>[],
];

export function packReview(review: RecentReview): PackedReview {
  return [
    review.sequence,
    review.newer,
    review.reviewer,
    review.at,
    review.trust,
    review.value,
    review.unit,
    review.roots,
    review.roams ? 1 : 0,
  ];
}

export function unpackReview([sequence, newer, reviewer, at, trust, value, unit, roots, roams]: PackedReview) {
  return { at, trust, value, unit, roots, sequence, reviewer, newer, roams: roams === 1 } satisfies RecentReview;
}

/** One root of evidence; `place` is one of those that it has. */
export function rootAt(columns: RootColumns, place: number): RootState {
  return {
    live: columns.live[place] ?? 0,
    weight: columns.weights[place] ?? 0,
    weightError: columns.weightErrors[place] ?? 0,
    value: columns.values[place] ?? 0,
    valueError: columns.valueErrors[place] ?? 0,
    plainFrom: columns.plainFrom[place] ?? 0,
    recentWeight: columns.recentWeights[place] ?? 0,
    recentValue: columns.recentValues[place] ?? 0,
    recent: columns.recent[place] ?? [],
  };
}

export function packRoot<Recent>(
  root: string,
  state: RootState,
  write: (review: RecentReview) => Recent,
): PackedRoot<Recent> {
  return [
    root,
    state.live,
    state.weight,
    state.weightError,
    state.value,
    state.valueError,
    state.plainFrom,
    state.recentWeight,
    state.recentValue,
    state.recent.map(write),
  ];
}

export function unpackRoot<Recent>(packed: PackedRoot<Recent>, read: (recent: Recent) => RecentReview): RootState {
  const [, live, weight, weightError, value, valueError, plainFrom, recentWeight, recentValue, recent] = packed;
  return {
    live,
    weight,
    weightError,
    value,
    valueError,
    plainFrom,
    recentWeight,
    recentValue,
    recent: recent.map(read),
  };
}

/** Evidence as text: the same text for equal evidence, wherever it was read from. */
export function packEvidence(evidence: AgentEvidence): string {
  const roots = evidence.roots.map((root, place) => packRoot(root, rootAt(evidence, place), packReview));
  const packed: PackedEvidence = [evidence.prior, evidence.newestAt, evidence.reviewCount, evidence.epoch, roots];
  return JSON.stringify(packed);
}

/** The evidence that `packEvidence` made a text of. */
export function unpackEvidence(text: string): AgentEvidence {
  const [prior, newestAt, reviewCount, epoch, roots] = JSON.parse(text) as PackedEvidence;
  const states = new Map(roots.map((packed) => [packed[0], unpackRoot(packed, unpackReview)]));
  return { prior, newestAt, reviewCount, epoch, ...columnsOf(states) };
}

/** The columns of roots that are given in alphabetical order. */
export function columnsOf(states: ReadonlyMap<string, RootState>): RootColumns {
  const all = [...states.values()];
  return {
    roots: [...states.keys()],
    live: all.map(({ live }) => live),
    weights: all.map(({ weight }) => weight),
    weightErrors: all.map(({ weightError }) => weightError),
    values: all.map(({ value }) => value),
    valueErrors: all.map(({ valueError }) => valueError),
    recent: all.map(({ recent }) => recent),
    plainFrom: all.map(({ plainFrom }) => plainFrom),
    recentWeights: all.map(({ recentWeight }) => recentWeight),
    recentValues: all.map(({ recentValue }) => recentValue),
  };
}
