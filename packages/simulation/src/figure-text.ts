import type { Gate } from './attacks/attack.ts';

const signs = { '<': '<', '<=': '≤', '>=': '≥', '=': '=' } as const;

export function gateText({ relation, limit }: Gate): string {
  return `${signs[relation]} ${limit}`;
}

/** At most two decimals; `never` for a count that was not reached. */
export function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? 'never' : String(Math.round(value * 100) / 100);
}

/** The least and the largest value; one of them if they are equal. */
export function spreadText(values: readonly number[]): string {
  const [least = '', most = ''] = [Math.min(...values), Math.max(...values)].map(numberText);
  return least === most ? least : `${least} to ${most}`;
}

/** `seed 7`, `seeds 1–20`, `seeds 3, 5`. */
export function seedsText(seeds: readonly number[]): string {
  if (seeds.length === 1) return `seed ${seeds[0]}`;
  const isRange = seeds.every((seed, index) => seed === (seeds[0] ?? 0) + index);
  return `seeds ${isRange && seeds.length > 2 ? `${seeds[0]}–${seeds.at(-1)}` : seeds.join(', ')}`;
}
