import type { MatchResult } from '@agent-trust/client';

/** The parts of a match_score in their order, with what each is called. */
export const partNames = [
  ['capability', 'capability'],
  ['trust', 'trust'],
  ['success', 'success rate'],
  ['activity', 'exchanges'],
] as const;

type Ranked = Pick<MatchResult, 'agent_id' | 'match_score' | 'match_parts' | 'trust_score'>;

const pointsText = (points: number): string => `${points > 0 ? '+' : ''}${points.toFixed(4)}`;

/** Why the first of two neighbours in a ranking stands before the second, in one sentence without their names. */
export function whyBefore(first: Ranked, second: Ranked): string {
  const lead = first.match_score - second.match_score;
  if (lead > 0) {
    const differences = partNames
      .map(([part, name]) => ({ name, points: first.match_parts[part].points - second.match_parts[part].points }))
      .filter(({ points }) => Math.abs(points) >= 0.00005)
      .toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points));
    return `It leads by ${lead.toFixed(4)}: ${differences.map(({ name, points }) => `${name} ${pointsText(points)}`).join(', ')}.`;
  }
  if (first.trust_score !== second.trust_score)
    return `Both have the same match_score; its trust_score is higher (${first.trust_score} and ${second.trust_score}).`;
  if (first.match_parts.activity.value !== second.match_parts.activity.value)
    return 'Both have the same match_score and trust_score; it has dealt more often with other organisations.';
  return 'Both have the same match_score and trust_score; such agents are listed by their ids.';
}

/** Which capability of the agent met a required one, in a few words. */
export function reasonText(reason: MatchResult['match_reasons'][number]): string {
  const { required_capability: required, matched_capability: matched, how, similarity } = reason;
  if (how === 'exact') return `has ${matched}`;
  if (how === 'alias') return `has ${matched}, another name of which is ${required}`;
  return `has ${matched}, which is close to ${required} (${Math.round(similarity * 100)} %)`;
}
