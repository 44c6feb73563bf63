import { expect, it } from 'vitest';
import { meetsAims, type Pair, telemetrySection, type TelemetryBench } from './report.ts';

/** Two starts of pairs that all have the same costs. */
const startsOf = (pair: Pair): Pair[][] => [Array.from({ length: 4 }, () => pair), [pair]];
const benchOf = (ofTraces: Pair): TelemetryBench => {
  const cheap = startsOf({ withoutMs: 0.1, withMs: 0.101, exportMs: 0.0005 });
  return {
    date: '2026-11-26',
    load: 0.5,
    processors: 2,
    requestsPerTurn: { '/verify': 500, '/call': 64 },
    pairs: {
      metrics: { '/verify': cheap, '/call': cheap },
      'metrics and traces': { '/verify': cheap, '/call': startsOf(ofTraces) },
    },
  };
};

it('adds the share of exports to what each request costs', () => {
  const section = telemetrySection(benchOf({ withoutMs: 2, withMs: 2.05, exportMs: 0.01 }));
  expect(section).toContain('| `/verify` | metrics | 5, 2 | 100 µs | 102 µs | 0.5 µs | 1.5 % | 1.5 % to 1.5 % |');
  expect(section).toContain(
    '| `/call` | metrics and traces | 5, 2 | 2000 µs | 2060 µs | 10.0 µs | 3.0 % | 3.0 % to 3.0 % |',
  );
  expect(section).toContain('- met: metrics and traces: at most added to `/call`, %: 3 (aim < 5)');
});

it('misses the aim where one upper bound is too high', () => {
  expect(meetsAims(benchOf({ withoutMs: 2, withMs: 2.05, exportMs: 0.01 }))).toBe(true);
  expect(meetsAims(benchOf({ withoutMs: 2, withMs: 2.09, exportMs: 0.02 }))).toBe(false);
});
