/** A vector of length 1 in the same direction; null for one that has none, or holds what is no number. */
export function unitVector(vector: Float64Array): Float64Array | null {
  const length = Math.sqrt(dot(vector, vector));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b[index] ?? 0);
  return sum;
};

/**
 * How near a vector is to each of others, 0–1; all of length 1. Cosines of one model lie between 0.1 and 0.5 and those of another between
 * 0.7 and 0.9, so they are measured from their own mean, which is 0; the same vector is 1. So the figures of different models compare.
 */
export function nearnessTo(vector: Float64Array, others: ReadonlyMap<string, Float64Array>): Map<string, number> {
  const cosines = Array.from(others, ([name, other]) => ({ name, cosine: dot(vector, other) }));
  const mean = cosines.reduce((sum, { cosine }) => sum + cosine, 0) / Math.max(1, cosines.length);
  // Were all of them the same, none would be nearer than usual.
  const span = Math.max(1 - mean, Number.EPSILON);
  return new Map(cosines.map(({ name, cosine }) => [name, Math.min(1, Math.max(0, (cosine - mean) / span))]));
}
