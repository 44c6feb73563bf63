// Bug: the search reports what no attacker with that budget could do, or misses what the gate table shows, or depends on more than its seed. Method: random
// strategies of every goal against their budget; small searches by both policies.
import { runs } from '@agent-trust/test-kit/runs';
import { policyV1, policyV2 } from '@agent-trust/trust-policy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../random/seeded-random.ts';
import { scoringByPolicy } from '../scoring/scoring.ts';
import { scoringByPolicyV2 } from '../v2/scoring-v2.ts';
import { compareAll, comparisonLines } from './compare.ts';
import { goals } from './goals.ts';
import type { Goal } from './goal.ts';
import { findBest } from './search.ts';
import { randomStrategy } from './strategy.ts';

const byV1 = () => scoringByPolicy(policyV1);
const byV2 = () => scoringByPolicyV2(policyV2);
const goalNamed = (name: string): Goal => {
  const goal = goals.find((each) => each.name === name);
  if (goal === undefined) throw new Error(`no goal ${name}`);
  return goal;
};

describe('the adaptive attacker', { timeout: 120_000 }, () => {
  test('spends no more than it has, whatever it tries, and the same strategy gives the same in the same market', () => {
    const budget = fc.record({
      organisations: fc.nat({ max: 4 }),
      agents: fc.nat({ max: 12 }),
      exchanges: fc.nat({ max: 60 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...goals), budget, fc.nat(), fc.boolean(), (goal, given, seed, isV1) => {
        const strategy = randomStrategy(goal.rangesOf(given), seededRandom(seed));
        const play = () => goal.play(isV1 ? byV1 : byV2, seededRandom(`market ${seed}`), given, strategy);
        const { gain, spent, services } = play();
        for (const name of ['organisations', 'agents', 'exchanges'] as const) {
          expect(spent[name]).toBeGreaterThanOrEqual(0);
          expect(spent[name]).toBeLessThanOrEqual(given[name]);
        }
        expect(gain).toBeGreaterThanOrEqual(goal.name === 'profit' ? -services : 0);
        // Victims and services are exchanges; what an agent falls is not counted in them.
        const isCounted = goal.gain.startsWith('victims');
        expect(services + (isCounted ? gain : 0)).toBeLessThanOrEqual(spent.exchanges);
        expect(play()).toEqual({ gain, spent, services });
      }),
      { numRuns: runs(40, 2000) },
    );
  });

  test('who has nothing gains nothing, by the strategies of the gate table either', () => {
    const nothing = { organisations: 0, agents: 0, exchanges: 0 };
    for (const goal of goals) {
      for (const strategy of Object.values(goal.known)) {
        expect(goal.play(byV2, seededRandom(1), nothing, strategy)).toEqual({ gain: 0, spent: nothing, services: 0 });
      }
    }
  });

  test('finds the same for the same seed, and by climbing no less than by the strategies of the gate table', () => {
    const budget = { organisations: 1, agents: 8, exchanges: 30 };
    for (const goal of [goalNamed('fraud'), goalNamed('slander')]) {
      const found = findBest(goal, budget, byV2, { seed: 5, tries: 12 });
      expect(findBest(goal, budget, byV2, { seed: 5, tries: 12 })).toEqual(found);
      const onlyKnown = findBest(goal, budget, byV2, { seed: 5, tries: 1 });
      expect(found.searched).toBeGreaterThanOrEqual(onlyKnown.searched);
    }
  });

  test('one key and fresh agents: by v1 each finds a victim, by v2 few do', () => {
    const budget = { organisations: 1, agents: 20, exchanges: 40 };
    const [comparison] = compareAll(goalNamed('profit'), [budget], { seed: 1, tries: 30 });
    if (comparison === undefined) throw new Error('no comparison');
    expect(comparison.v1.gain).toBeGreaterThanOrEqual(20);
    expect(comparison.v2.gain).toBeLessThanOrEqual(3);
    expect(comparison.bestOfV1ByV2).toBeLessThanOrEqual(3);
    const [title, , head, , line] = comparisonLines([comparison]);
    expect(title).toMatch(/: victims less good services$/);
    expect(head).toMatch(/organisations \| agents \| exchanges \| v1 +\| v2 +\|/);
    expect(line).toMatch(/^\| 1 +\| 20 +\| 40 +\|/);
  });

  test('who cheats unaffiliated customers alone loses nothing by v2', () => {
    const budget = { organisations: 1, agents: 20, exchanges: 40 };
    const [comparison] = compareAll(goalNamed('fraud-on-nobodies'), [budget], { seed: 1, tries: 5 });
    expect([comparison?.v1.gain, comparison?.v2.gain]).toEqual([20, 20]);
  });

  test('a larger budget begins with what a smaller one found, so it gains no less', () => {
    const growing = [10, 20].map((exchanges) => ({ organisations: 1, agents: 4, exchanges }));
    const [small, large] = [...compareAll(goalNamed('fraud'), growing, { seed: 2, tries: 10 })];
    expect(large?.v1.searched).toBeGreaterThanOrEqual(small?.v1.searched ?? Number.NaN);
    expect(large?.v2.searched).toBeGreaterThanOrEqual(small?.v2.searched ?? Number.NaN);
  });
});
