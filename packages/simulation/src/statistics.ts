/** The arithmetic mean; not a number for no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle value, or the mean of the two in the middle; not a number for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}

/** Spearman's ρ: Pearson's correlation of the ranks; ties share the mean of their ranks. */
export function rankCorrelation(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [ranks(first), ranks(second)];
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (const [index, rankA] of a.entries()) {
    const [fromA, fromB] = [rankA - meanA, (b[index] ?? Number.NaN) - meanB];
    both += fromA * fromB;
    squaresA += fromA * fromA;
    squaresB += fromB * fromB;
  }
  return both / Math.sqrt(squaresA * squaresB);
}

const ranks = (values: readonly number[]): number[] => {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranked = values.map(() => 0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && order[to]?.value === order[from]?.value) to += 1;
    for (const { index } of order.slice(from, to)) ranked[index] = (from + to + 1) / 2;
    from = to;
  }
  return ranked;
};
