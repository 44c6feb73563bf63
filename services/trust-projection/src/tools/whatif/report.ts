import { type AnyTrustPolicy, rootText } from '@agent-trust/trust-policy';
import { alignedLines } from '../common/aligned-lines.ts';
import { type ChangedPart, changedParts } from './changed-parts.ts';
import { changeOf, type Crossing, type ExplainedMove, type PolicyComparison, thresholds } from './compare-policies.ts';
import type { PolicyChange } from './policy-changes.ts';
import type { Effect, SingleEffects } from './single-effects.ts';

export type WhatIfReport = {
  from: AnyTrustPolicy;
  to: AnyTrustPolicy;
  changes: readonly PolicyChange[];
  /** The moves that are shown are those that it explains. */
  comparison: PolicyComparison;
  effects: SingleEffects;
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
export function reportJson({ from, to, changes, comparison, effects }: WhatIfReport): object {
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
    moves: comparison.explained.map((move) => ({
      agent_id: move.agentId,
      universe: move.universe,
      before: sideJson(move.before),
      after: sideJson(move.after),
      change: changeOf(move),
      crosses: move.crosses,
      effects: (effects.get(move.agentId) ?? []).map((effect) => ({ ...effect, points: points(effect.points) })),
      parts: changedParts(move).map(partJson),
    })),
  };
}

const sideJson = ({ score, unrounded, basis, organisation }: ExplainedMove['before']): object => ({
  trust_score: score,
  unrounded: points(unrounded),
  basis,
  ...(organisation === null ? {} : { organisation: { org_id: organisation.id, record: organisation.record } }),
});

const partJson = ({ kind, root, before, after }: ChangedPart): object => ({
  kind,
  root,
  before: points(before?.points ?? 0),
  after: points(after?.points ?? 0),
  ...(kind === 'root' ? { root_before: rootJson(before), root_after: rootJson(after) } : {}),
});

const rootJson = (part: ChangedPart['before']): object | null =>
  part === null ? null : { cap: part.cap, cut: part.isCut, established: part.established };

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
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  if (!Array.isArray(value)) return `${value.verified}/${value.unverified}`;
  return value.length === 0 ? 'none' : value.map(shownName).join(' ');
};

const crossingText = ({ threshold, direction }: Crossing): string =>
  direction === 'rises' ? `rises to ${threshold} or above` : `falls below ${threshold}`;

/** What another policy would do, for people. */
export function whatIfLines(report: WhatIfReport): string[] {
  const { from, to, changes, comparison, effects } = report;
  const { agents, moves, events, reviews, position, explained: shown } = comparison;
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
  if (shown.length > 0) lines.push('', ...table(shown, from.name, to.name, effects, changes));
  if (shown.length < moves.length) {
    lines.push('', `${whole(moves.length - shown.length)} more agents would move; --top shows more of them.`);
  }
  return lines;
}

const table = (
  moves: readonly ExplainedMove[],
  from: string,
  to: string,
  effects: SingleEffects,
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
  const isShownAlone = changes.filter(({ alone }) => alone !== null).length > 1;
  return [
    first,
    ...moves.flatMap((move, index) => [
      lines[index] ?? '',
      ...whyLines(move, isShownAlone ? (effects.get(move.agentId) ?? []) : null),
    ]),
  ];
};

/** @param effects of single constants; null if they are not shown */
const whyLines = (move: ExplainedMove, effects: readonly Effect[] | null): string[] => {
  const lines = [`    parts: ${partsText(move)}`];
  if (effects !== null) {
    const shown = effects
      .slice(0, effectsShownMax)
      .map(({ constant, points: gained }) => `${constant} ${signed(gained, 1)}`);
    lines.push(`    alone: ${shown.length === 0 ? 'none of the changes moves it by itself' : shown.join(', ')}`);
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

const partsText = (move: ExplainedMove): string => {
  const parts = changedParts(move);
  const shown = parts.slice(0, partsShownMax).map((part) => partText(part, move));
  const others = parts.slice(partsShownMax);
  if (others.length === 0) return shown.join(', ');
  const sum = (side: 'before' | 'after'): string =>
    others.reduce((total, part) => total + (part[side]?.points ?? 0), 0).toFixed(1);
  return `${shown.join(', ')}, ${count(others.length, 'other part')} ${sum('before')} → ${sum('after')}`;
};

const partText = (part: ChangedPart, move: ExplainedMove): string => {
  const { before, after } = part;
  const [noteBefore, noteAfter] = [rootNote(before), rootNote(after)];
  const note = noteBefore === noteAfter ? '' : [noteBefore, noteAfter].filter((text) => text !== '').join(' → ');
  const change = `${(before?.points ?? 0).toFixed(1)} → ${(after?.points ?? 0).toFixed(1)}`;
  return `${partName(part, move)} ${change}${note === '' ? '' : ` (${note})`}`;
};

const partName = ({ kind, root }: ChangedPart, { before, after }: ExplainedMove): string => {
  const name = shownName(root ?? '');
  switch (kind) {
    case 'prior':
      return 'prior';
    case 'record':
      return `record ${(after.organisation ?? before.organisation)?.record ?? ''} of ${name}`;
    case 'third_voice':
      return `third voice ${name}`;
    case 'root':
      return rootText(name);
    default:
      return kind satisfies never;
  }
};

/** What a cap does to a root, and whether formula v2 takes it as established. */
const rootNote = (part: ChangedPart['before']): string => {
  if (part === null) return '';
  const { established, isCut, cap } = part;
  return [
    ...(established === null ? [] : [established ? 'established' : 'not established']),
    ...(isCut && cap !== null ? [`cut at ${Math.round(cap * 1_000) / 10} %`] : []),
  ].join(', ');
};
