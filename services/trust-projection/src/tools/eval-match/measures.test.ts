import type { CapabilityResolution } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { type Answered, measure, meetsAims } from './measures.ts';

const close = (outcome: 'clear' | 'ambiguous', ...names: string[]): CapabilityResolution => ({
  name: 'asked',
  outcome,
  candidates: names.map((name) => ({ name, similarity: 0.5 })),
});
const unknown: CapabilityResolution = { name: 'asked', outcome: 'unknown' };
const alias = (canonical: string): CapabilityResolution => ({ name: 'asked', outcome: 'alias', canonical });
const answered = (expected: string[], resolution: CapabilityResolution): Answered => ({
  phrase: 'asked',
  expected,
  resolution,
});

describe('the measures', () => {
  it('use the rank of the first correct name', () => {
    const measures = measure([
      answered(['a'], close('ambiguous', 'x', 'a')),
      answered(['a', 'b'], close('clear', 'b', 'x')),
      answered(['a'], alias('a')),
      answered(['a'], close('ambiguous', 'x')),
      answered(['a'], unknown),
    ]);
    expect(measures).toMatchObject({ recallAt5: 0.6, meanReciprocalRank: 0.5, clearRate: 0.4, falseResolveRate: 0 });
  });

  it('count a settled wrong name as false, also for an unknown thing, but not a mere candidate', () => {
    const measures = measure([
      answered(['a'], close('clear', 'x', 'a')),
      answered(['a'], alias('x')),
      answered([], close('clear', 'x')),
      answered([], close('ambiguous', 'x')),
      answered([], unknown),
    ]);
    expect(measures).toMatchObject({ falseResolveRate: 0.6, needlessOfferRate: 2 / 3, unknownPhrases: 3 });
  });

  it('are compared with their targets from both sides', () => {
    const aims = { recallAt5Min: 0.85, falseResolveRateMax: 0.02, needlessOfferRateMax: 0.05 };
    const good = { ...measure([]), recallAt5: 0.85, falseResolveRate: 0.02, needlessOfferRate: 0.05 };
    expect(meetsAims(good, aims)).toBe(true);
    expect(meetsAims({ ...good, recallAt5: 0.84 }, aims)).toBe(false);
    expect(meetsAims({ ...good, falseResolveRate: 0.021 }, aims)).toBe(false);
    expect(meetsAims({ ...good, needlessOfferRate: 0.051 }, aims)).toBe(false);
  });
});
