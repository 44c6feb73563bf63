import { describe, expect, it } from 'vitest';
import { metricLimits } from './limits.ts';
import { RecentCounts, RecentValues, stepOf } from './recent-values.ts';

const { recentStepMs, recentSteps } = metricLimits;
/** Times of a step in the middle of nowhere. */
const timeOf = (step: number): number => (1_000 + step) * recentStepMs + 1;

describe('values of the last steps', () => {
  it('are shown for the steps before the running one, null where nothing is known', () => {
    const values = new RecentValues<string>();
    for (const step of [0, 2, 3]) values.set(stepOf(timeOf(step)), `step ${step}`);
    const shown = values.shown(timeOf(3));
    expect(shown.firstStep).toBe(1_003 - recentSteps);
    expect(shown.values).toHaveLength(recentSteps);
    expect(shown.values.slice(-4)).toEqual([null, 'step 0', null, 'step 2']);
  });

  it('are forgotten when they are older', () => {
    const values = new RecentValues<number>();
    for (let step = 0; step < 5 * recentSteps; step += 1) values.set(step, step);
    expect(values.at(4 * recentSteps - 2)).toBeUndefined();
    expect(values.at(4 * recentSteps - 1)).toBe(4 * recentSteps - 1);
  });
});

describe('counts of the last steps', () => {
  const counting = () => {
    const counts = new Map<string, number>([['calls', 7]]);
    const recent = new RecentCounts(() => new Map(counts), timeOf(0));
    return { recent, add: (name: string, more: number) => void counts.set(name, (counts.get(name) ?? 0) + more) };
  };

  it('are what was added in each, nothing of before the start, and 0 where nothing was', () => {
    const { recent, add } = counting();
    add('calls', 2);
    recent.look(timeOf(0) + 5);
    add('calls', 1);
    recent.look(timeOf(1));
    add('refusals', 4);
    recent.look(timeOf(2));
    add('calls', 100);
    const { firstStep, counts } = recent.shown(timeOf(4));
    expect(firstStep).toBe(1_004 - recentSteps);
    expect(Object.keys(counts).toSorted()).toEqual(['calls', 'refusals']);
    expect(counts['calls']?.slice(-5)).toEqual([null, 3, 0, 100, 0]);
    expect(counts['refusals']?.slice(-5)).toEqual([null, 0, 4, 0, 0]);
  });

  it('forget a name that has not been counted for the whole time', () => {
    const { recent, add } = counting();
    add('calls', 1);
    recent.look(timeOf(1));
    for (let step = 2; step <= recentSteps + 1; step += 1) recent.look(timeOf(step));
    expect(recent.shown(timeOf(recentSteps + 1)).counts).toEqual({});
  });

  it('lose nothing when the clock is set back', () => {
    const { recent, add } = counting();
    add('calls', 1);
    recent.look(timeOf(-3));
    add('calls', 1);
    recent.look(timeOf(1));
    expect(recent.shown(timeOf(1)).counts['calls']?.at(-1)).toBe(2);
  });
});
