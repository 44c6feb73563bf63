/** How many reviews it took until the score was first below a limit, from the scores after each; infinity when it never was. */
export function reviewsUntilBelow(limit: number, scores: readonly number[]): number {
  const found = scores.findIndex((score) => score < limit);
  return found === -1 ? Number.POSITIVE_INFINITY : found + 1;
}
