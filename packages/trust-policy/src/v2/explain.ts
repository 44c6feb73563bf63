import { type Confidence, confidenceOf } from '../confidence.ts';
import type { Basis } from '../v1/formula.ts';
import type { AverageV2 } from './average.ts';
import { averagesOfAgent } from './agent-score.ts';
import { capOf } from './fill.ts';
import { isEstablished } from './mark.ts';
import { recordOf } from './organisation-record.ts';
import { RECORD_MAX, type RulesV2 } from './rules.ts';
import { onGrid, verdictAt } from './verdict.ts';
import type { EvidenceView } from './view.ts';

/** A line of an explanation; the points of all lines sum to `unrounded`, exactly and in any order. */
export type ContributionV2 =
  | { kind: 'prior'; root: null; weight: number; mean: number; points: number }
  /** What the record of the agent's organisation takes from its prior: zero or negative. */
  | { kind: 'record'; root: null; organisation: string; points: number }
  | { kind: 'third_voice'; root: string; voice: number; points: number }
  | {
      kind: 'root';
      root: string;
      established: boolean;
      cap: number;
      weight: number;
      cappedWeight: number;
      mean: number;
      points: number;
    };

export type ExplainedV2 = {
  unrounded: number;
  /** Which average is the score: of all reviews, or after a fast fall of the recent ones. */
  basis: Basis;
  contributions: ContributionV2[];
  confidence: Confidence;
};

export type ExplainedAgent = ExplainedV2 & { score: number };
export type ExplainedRecord = ExplainedV2 & { record: number; leftOut: string | null };

/** The score of an agent, explained. `organisation` with its record, if the agent has one. */
export function explainAgent(
  view: EvidenceView,
  { base, organisation }: { base: number; organisation: { id: string; record: number } | null },
  rules: RulesV2,
): ExplainedAgent {
  const averages = averagesOfAgent(view, base, rules);
  const prior = organisation === null ? base : Math.min(base, organisation.record);
  const { score, unrounded, basis } = verdictAt(averages.line, prior, rules);
  const average = basis === 'recent' && averages.recent !== null ? averages.recent : averages.all;
  const lines: ContributionV2[] = [priorLine(base, average, rules)];
  if (organisation !== null) {
    const points = (rules.strength * (prior - base)) / average.total;
    lines.push({ kind: 'record', root: null, organisation: organisation.id, points });
  }
  const { thirdVoice } = averages;
  if (thirdVoice !== null && basis === 'all') {
    const { place, voice, lift } = thirdVoice;
    lines.push({
      kind: 'third_voice',
      root: view.roots[place] ?? '',
      voice,
      points: (rules.strength * lift) / average.total,
    });
  }
  lines.push(...rootLines(view, average));
  return { score, ...explained(lines, { unrounded, basis, average }, rules) };
}

/** The record of an organisation, or its standing record, explained. */
export function explainRecord(view: EvidenceView, rules: RulesV2): ExplainedRecord {
  const { record, unrounded, basis, leftOut, all, recent } = recordOf(view, rules);
  const average = basis === 'recent' && recent !== null ? recent : all;
  const lines = [priorLine(RECORD_MAX, average, rules), ...rootLines(view, average)];
  return { record, leftOut: view.roots[leftOut] ?? null, ...explained(lines, { unrounded, basis, average }, rules) };
}

const priorLine = (base: number, { total }: AverageV2, { strength }: RulesV2): ContributionV2 => ({
  kind: 'prior',
  root: null,
  weight: strength,
  mean: base / 100,
  points: (strength * base) / total,
});

const rootLines = (view: EvidenceView, { weights, values, caps, total }: AverageV2): ContributionV2[] =>
  view.roots.flatMap((root, place): ContributionV2[] => {
    const weight = weights[place] ?? 0;
    if (weight <= 0) return [];
    const value = values[place] ?? 0;
    const mark = view.marks[place] ?? 0;
    const cap = capOf(value, weight, mark, caps);
    const cappedWeight = Math.min(weight, cap * total);
    const mean = Math.min(1, Math.max(0, value / weight));
    const points = (100 * cappedWeight * mean) / total;
    const established = isEstablished(mark);
    return [{ kind: 'root', root, established, cap, weight, cappedWeight, mean, points }];
  });

const explained = (
  lines: readonly ContributionV2[],
  { unrounded, basis, average }: { unrounded: number; basis: Basis; average: AverageV2 },
  { strength }: RulesV2,
): ExplainedV2 => ({
  unrounded,
  basis,
  contributions: withExactPointsV2(lines, unrounded),
  // The weight as a score's line has it, to the last digit: the number beside a score is the same.
  confidence: confidenceOf(unrounded, {
    evidenceWeight: average.total - strength,
    strength,
    roots: average.rootCount,
  }),
});

/**
 * Points that sum to exactly `unrounded`, added in any order: all are rounded to multiples of the grid that `unrounded` is on, and the largest takes the
 * difference, about 1e-13.
 */
const withExactPointsV2 = (lines: readonly ContributionV2[], unrounded: number): ContributionV2[] => {
  const points = lines.map((line) => onGrid(line.points));
  const largest = points.reduce((best, value, index) => (value > (points[best] ?? 0) ? index : best), 0);
  const leftOver = points.reduce((left, value) => left - value, unrounded);
  return lines.map((line, index) => ({
    ...line,
    points: (points[index] ?? 0) + (index === largest ? leftOver : 0),
  }));
};
