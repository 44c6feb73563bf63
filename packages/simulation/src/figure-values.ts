import { type Gate, meets } from './attacks/attack.ts';

/** Of some values the one nearest to missing a gate, or furthest beyond it. */
export function worstOf(values: readonly number[], gate: Gate): number {
  return extreme('worst', values, gate);
}

/** The value nearest to meeting the gate. */
export function bestOf(values: readonly number[], gate: Gate): number {
  return extreme('best', values, gate);
}

/** Seeds whose value misses a gate. A figure that is not a number meets none. `values` are in the order of the seeds. */
export function seedsThatMiss(seeds: readonly number[], values: readonly number[], gate: Gate): number[] {
  return seeds.filter((_, place) => !meets(values[place] ?? Number.NaN, gate));
}

/** Seeds whose value does not show that a control misses a gate. */
export function seedsThatMeet(seeds: readonly number[], values: readonly number[], gate: Gate): number[] {
  return seeds.filter((_, place) => {
    const value = values[place] ?? Number.NaN;
    return meets(value, gate) || Number.isNaN(value);
  });
}

const extreme = (wanted: 'worst' | 'best', values: readonly number[], { relation, limit }: Gate): number => {
  if (relation === '=') {
    const sign = wanted === 'worst' ? 1 : -1;
    const distance = (value: number): number => sign * Math.abs(value - limit);
    return values.reduce((found, value) => (distance(value) > distance(found) ? value : found));
  }
  return (relation === '>=') === (wanted === 'worst') ? Math.min(...values) : Math.max(...values);
};
