import { describe, expect, it } from 'vitest';
import { nearnessTo, unitVector } from './nearness.ts';

const unit = (...values: number[]): Float64Array => {
  const vector = unitVector(Float64Array.from(values));
  if (vector === null) throw new Error('the test needs a vector with a direction');
  return vector;
};

describe('nearness', () => {
  it('is 1 for the same direction and 0 for the usual distance of others, or more', () => {
    const near = nearnessTo(
      unit(1, 0),
      new Map([
        ['same', unit(2, 0)],
        ['across', unit(0, 1)],
        ['opposite', unit(-1, 0)],
      ]),
    );
    expect(near.get('same')).toBeCloseTo(1, 12);
    expect(near.get('across')).toBe(0);
    expect(near.get('opposite')).toBe(0);
  });

  // Bug: a threshold for one model accepts everything, or nothing, of another one whose cosines are distributed differently.
  it('does not depend on the average similarity in a model', () => {
    const others = (common: number): Map<string, Float64Array> =>
      new Map([
        ['same', unit(1, 0, common)],
        ['half', unit(1, 1, common)],
        ['other', unit(0, 1, common)],
        ['another', unit(0, 1, common)],
      ]);
    const [spread, crowded] = [0.2, 2].map((common) => nearnessTo(unit(1, 0, common), others(common)));
    for (const name of ['same', 'half', 'other']) {
      expect(Math.abs((spread?.get(name) ?? 0) - (crowded?.get(name) ?? 1))).toBeLessThan(0.25);
    }
  });

  it('is 0 among equal vectors, and in an empty set', () => {
    expect(
      nearnessTo(
        unit(1, 0),
        new Map([
          ['one', unit(1, 0)],
          ['two', unit(1, 0)],
        ]),
      ).get('one'),
    ).toBeLessThanOrEqual(1);
    expect(nearnessTo(unit(1, 0), new Map()).size).toBe(0);
  });
});

it('has no unit vector without a direction', () => {
  expect(unitVector(Float64Array.from([0, 0]))).toBeNull();
  expect(unitVector(Float64Array.from([Number.NaN, 1]))).toBeNull();
  expect(unitVector(Float64Array.from([Number.MAX_VALUE, Number.MAX_VALUE]))).toBeNull();
});
