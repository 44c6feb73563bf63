import { rootText, type TrustPolicy } from '@agent-trust/trust-policy';
import { alignedLines } from '../common/aligned-lines.ts';
import { changeOf, type Crossing, type PolicyComparison, thresholds } from './compare-policies.ts';
import type { ChangedPart, ExplainedMove } from './explain-moves.ts';
import type { PolicyChange } from './policy-changes.ts';

export type WhatIfReport = {
  from: TrustPolicy;
  to: TrustPolicy;
  changes: readonly PolicyChange[];
  comparison: PolicyComparison;
  /** The moves that are shown. */
  shown: readonly ExplainedMove[];
};

/** How many agents rise to a threshold or above it, and how many fall below it. */
export function crossingCounts({
  moves,
}: Pick<PolicyComparison, 'moves'>): { threshold: number; rise: number; fall: number }[] {
  return thresholds.map((threshold) => {
    const crossing = moves.flatMap(({ crosses }) => crosses.filter((crossed) => crossed.threshold === threshold));
    const rise = crossing.filter(({ direction }) => direction === 'rises').length;
    return { threshold, rise, fall: crossing.length - rise };
  });
}

/** Numbers for programs, with the noise of floating-point sums cut off. */
export function points(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The report as one JSON document, in snake_case as all that leaves the registry. */
export function reportJson({ from, to, changes, comparison, shown }: WhatIfReport): object {
  return {
    policy: to.name,
    live_policy: from.name,
    position: comparison.position === null ? null : String(comparison.position),
    events: comparison.events,
    agents: comparison.agents,
    reviews: comparison.reviews,
    changes: changes.map(({ constant, before, after }) => ({ constant, before, after })),
    moved: comparison.moves.length,
    up: comparison.moves.filter((move) => changeOf(move) > 0).length,
    down: comparison.moves.filter((move) => changeOf(move) < 0).length,
    thresholds: crossingCounts(comparison),
    moves: shown.map((move) => ({
      agent_id: move.agentId,
      universe: move.universe,
      before: sideJson(move.before),
      after: sideJson(move.after),
      change: changeOf(move),
      crosses: move.crosses,
      effects: move.effects.map((effect) => ({ ...effect, points: points(effect.points) })),
      parts: move.parts.map((part) => ({ ...part, before: points(part.before), after: points(part.after) })),
    })),
  };
}

const sideJson = ({ score, unrounded, basis }: ExplainedMove['before']): object => ({
  trust_score: score,
  unrounded: points(unrounded),
  basis,
});

/** Parts and effects that are shown of each agent; the rest is summed up. */
const partsShownMax = 4;
const effectsShownMax = 4;

const whole = (value: number): string => value.toLocaleString('en');
const count = (value: number, one: string, more = `${one}s`): string => `${whole(value)} ${value === 1 ? one : more}`;
const signed = (value: number, digits: number): string => {
  const text = Math.abs(value).toFixed(digits);
  return `${value < 0 && Number(text) !== 0 ? '-' : '+'}${text}`;
};

/** Others choose agent_ids and domains: what could command a terminal, or look like another name, is shown in escapes. */
const shownName = (name: string): string =>
  /^[\x21-\x7e]+$/.test(name) && !name.includes('"')
    ? name
    : JSON.stringify(name).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const valueText = (value: PolicyChange['before']): string => {
  if (value === null) return 'as registered';
  return typeof value === 'number' ? String(value) : `${value.verified}/${value.unverified}`;
};

const crossingText = ({ threshold, direction }: Crossing): string =>
  direction === 'rises' ? `rises to ${threshold} or above` : `falls below ${threshold}`;

/** What another policy would do, for people. */
export function whatIfLines(report: WhatIfReport): string[] {
  const { from, to, changes, comparison, shown } = report;
  const { agents, moves, events, reviews, position } = comparison;
  const lines = [
    `What if trust policy ${to.name} had been in force instead of ${from.name}?`,
    position === null
      ? 'The log is empty.'
      : `${count(events, 'event')} up to position ${position}: ${count(agents, 'agent')}, ${count(reviews, 'review')} that count.`,
    changes.length === 0
      ? 'The two policies are the same.'
      : `Changed: ${changes.map(({ constant, before, after }) => `${constant} ${valueText(before)} → ${valueText(after)}`).join(', ')}.`,
    '',
  ];
  if (moves.length === 0) return [...lines, 'Nobody would move.'];
  const up = moves.filter((move) => changeOf(move) > 0).length;
  lines.push(
    `${count(moves.length, 'agent')} would move, ${whole(up)} up and ${whole(moves.length - up)} down; ${whole(agents - moves.length)} would stay.`,
    ...crossingCounts(comparison).map(
      ({ threshold, rise, fall }) =>
        `Threshold ${threshold}: ${whole(rise)} would rise to it or above, ${whole(fall)} would fall below it.`,
    ),
  );
  if (shown.length > 0) lines.push('', ...table(shown, from.name, to.name, changes));
  if (shown.length < moves.length) {
    lines.push('', `${whole(moves.length - shown.length)} more agents would move; --top shows more of them.`);
  }
  return lines;
}

const table = (
  moves: readonly ExplainedMove[],
  from: string,
  to: string,
  changes: readonly PolicyChange[],
): string[] => {
  const rows = moves.map((move) => [
    shownName(move.agentId) + (move.universe === 'sandbox' ? ' (sandbox)' : ''),
    String(move.before.score),
    String(move.after.score),
    signed(changeOf(move), 0),
    move.crosses.map(crossingText).join(', '),
  ]);
  const head = ['agent', from, to, 'change', 'crosses'];
  const [first = '', ...lines] = alignedLines([head, ...rows], [1, 2, 3]);
  return [first, ...moves.flatMap((move, index) => [lines[index] ?? '', ...whyLines(move, changes)])];
};

const whyLines = (move: ExplainedMove, changes: readonly PolicyChange[]): string[] => {
  const lines = [`    parts: ${partsText(move.parts)}`];
  if (changes.length > 1) {
    const effects = move.effects
      .slice(0, effectsShownMax)
      .map(({ constant, points }) => `${constant} ${signed(points, 1)}`);
    lines.push(`    alone: ${effects.length === 0 ? 'none of the changes moves it by itself' : effects.join(', ')}`);
  }
  if (move.before.basis !== move.after.basis) {
    lines.push(
      move.after.basis === 'recent'
        ? '    by its recent reviews alone, which are worse, where all of its reviews counted before'
        : '    by all of its reviews, where only the recent ones counted before',
    );
  }
  return lines;
};

const partsText = (parts: readonly ChangedPart[]): string => {
  const shown = parts
    .slice(0, partsShownMax)
    .map(
      ({ root, before, after }) =>
        `${root === null ? 'prior' : rootText(shownName(root))} ${before.toFixed(1)} → ${after.toFixed(1)}`,
    );
  const others = parts.slice(partsShownMax);
  if (others.length === 0) return shown.join(', ');
  const sum = (side: 'before' | 'after'): string => others.reduce((total, part) => total + part[side], 0).toFixed(1);
  return `${shown.join(', ')}, ${count(others.length, 'other root')} ${sum('before')} → ${sum('after')}`;
};
