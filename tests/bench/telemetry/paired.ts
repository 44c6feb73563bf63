/** What a ratio of pairs is: its median, and the bounds between which it lies with 95 % confidence. */
export type Interval = { median: number; lower: number; upper: number };

const resamples = 10_000;

/**
 * The median of paired ratios with a 95 % interval by bootstrap. Pairs of one group were measured on the same processes, which differ from others of the
 * same code by a percent or two: groups are drawn first, then pairs within them (Davison and Hinkley, Bootstrap Methods, §3.8).
 * @param groups of at least one ratio each
 */
export function medianOfPairs(groups: readonly (readonly number[])[]): Interval {
  const medians = Float64Array.from({ length: resamples }, () =>
    median(
      groups.flatMap(() => {
        const group = draw(groups);
        return group.map(() => draw(group));
      }),
    ),
  ).sort();
  const at = (share: number): number => medians[Math.round(share * (resamples - 1))] as number;
  return { median: median(groups.flat()), lower: at(0.025), upper: at(0.975) };
}

/** @param values at least one */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

const draw = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
