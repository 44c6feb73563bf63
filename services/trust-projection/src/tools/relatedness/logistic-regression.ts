export type Observation = { values: readonly number[]; isPositive: boolean; weight: number };

const descent = { steps: 400, rate: 0.1, momentum: 0.9, spread: 0.999, shrinkage: 1e-3 } as const;

/**
 * Fits a logistic regression (Adam: Kingma and Ba, 2015). Values are scaled to mean 0 and deviation 1 meanwhile, and large factors cost.
 *
 * @returns bias and factors for values as they are
 */
export function logisticRegression(observations: readonly Observation[]): { bias: number; factors: number[] } {
  const count = observations[0]?.values.length ?? 0;
  const { means, deviations } = scaleOf(observations, count);
  const scaled = observations.map(({ values, isPositive, weight }) => {
    const rows = values.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1));
    return { rows: [...rows, 1], target: isPositive ? 1 : 0, weight };
  });
  const total = scaled.reduce((sum, { weight }) => sum + weight, 0);
  const factors = new Float64Array(count + 1);
  const momentum = new Float64Array(count + 1);
  const spread = new Float64Array(count + 1);
  for (let step = 1; step <= descent.steps; step += 1) {
    const slope = Float64Array.from(factors, (factor, at) => (at < count ? descent.shrinkage * factor : 0));
    for (const { rows, target, weight } of scaled) {
      const sum = rows.reduce((total_, value, at) => total_ + value * (factors[at] ?? 0), 0);
      const fault = ((1 / (1 + Math.exp(-sum)) - target) * weight) / total;
      for (const [at, value] of rows.entries()) slope[at] = (slope[at] ?? 0) + fault * value;
    }
    for (const [at, value] of slope.entries()) {
      const moved = descent.momentum * (momentum[at] ?? 0) + (1 - descent.momentum) * value;
      const spreads = descent.spread * (spread[at] ?? 0) + (1 - descent.spread) * value * value;
      [momentum[at], spread[at]] = [moved, spreads];
      const length = Math.sqrt(spreads / (1 - descent.spread ** step)) + 1e-8;
      factors[at] = (factors[at] ?? 0) - (descent.rate * moved) / (1 - descent.momentum ** step) / length;
    }
  }
  const unscaled = Array.from({ length: count }, (_, at) => (factors[at] ?? 0) / (deviations[at] ?? 1));
  const bias = unscaled.reduce((sum, factor, at) => sum - factor * (means[at] ?? 0), factors[count] ?? 0);
  return { bias, factors: unscaled };
}

function scaleOf(observations: readonly Observation[], count: number): { means: number[]; deviations: number[] } {
  const mean = (valueOf: (values: readonly number[]) => number): number =>
    observations.reduce((sum, { values }) => sum + valueOf(values), 0) / Math.max(1, observations.length);
  const columns = Array.from({ length: count }, (_, at) => at);
  const means = columns.map((at) => mean((values) => values[at] ?? 0));
  const deviations = columns.map((at) => Math.sqrt(mean((values) => ((values[at] ?? 0) - (means[at] ?? 0)) ** 2)) || 1);
  return { means, deviations };
}
