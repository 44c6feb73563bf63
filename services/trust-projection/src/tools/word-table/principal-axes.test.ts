import { expect, it } from 'vitest';
import { reduced } from './principal-axes.ts';

it('keeps what vectors differ in most', () => {
  const vectors = [
    [4, 4, 0],
    [-4, -4, 0],
    [0, 0, 1],
    [0, 0, -1],
  ].map((values) => Float64Array.from(values));
  const kept = reduced(vectors, 1).map(([value = 0]) => Math.abs(value));
  for (const [at, value] of [Math.hypot(4, 4), Math.hypot(4, 4), 0, 0].entries()) expect(kept[at]).toBeCloseTo(value);
});
