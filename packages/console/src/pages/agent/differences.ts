import type { AgentProfile, ExplainedReview, ExplainedTrust, RatingRecord } from '@agent-trust/client';
import { actionWords } from '../../ui/score-words.ts';
import { timeText } from '../../ui/time.ts';
import { answersText } from './answers-text.ts';
import { countedText } from './counted-text.ts';
import { counterpartiesOf } from './counterparties-of.ts';
import { flagWords } from './flags.ts';
import { partName } from './part-name.ts';

export type Difference = { key: string; what: string; before: string; now: string };

type Values = readonly (readonly [what: string, value: string | number | null])[];

const none = '–';
const textOf = (value: string | number | null | undefined): string =>
  value === undefined || value === null || value === '' ? none : String(value);

/** What the profile says, in the order of the page. */
const profileValues = (profile: AgentProfile): Values => [
  ['Score', profile.trust_score],
  ['Verdict', actionWords[profile.recommended_action]],
  ['Verified', profile.verified ? 'yes' : 'no'],
  ['Organisation', profile.org_name],
  ['Domain', profile.org_domain && `${profile.org_domain}${profile.domain_verified ? ' (proved)' : ''}`],
  ['Flags', profile.flags.map((flag) => flagWords[flag]).join('; ')],
  ['Specialty', profile.specialty],
  ['Success rate', profile.success_rate === null ? null : `${Math.round(profile.success_rate * 100)} %`],
  ['Calls answered', profile.transaction_count],
  ['Answers lately', answersText(profile.liveness)],
  ['Last active', timeText(profile.last_active)],
  ['Protocol', profile.message_protocol],
  ['Payments', profile.routing.settlement_rail?.join(', ') ?? null],
  ['Contact', profile.contact_info],
  ['Trust policy', profile.trust_policy],
  ['Capabilities', profile.capabilities.map(({ name, weight }) => `${name} (${weight} of 3)`).join(', ')],
];

/** The score at both moments, and everything else of the profile that differs. */
export function profileDifferences(then: AgentProfile, now: AgentProfile): Difference[] {
  return differing(profileValues(then), profileValues(now), (what) => what === 'Score');
}

/** The parts of the score whose points differ, and their sum. */
export function partDifferences(then: ExplainedTrust, now: ExplainedTrust): Difference[] {
  const values = ({ contributions, unrounded }: ExplainedTrust): Values => [
    ['Together', unrounded.toFixed(2)],
    ...contributions.map((one) => [partName(one), one.points.toFixed(2)] as const),
  ];
  return differing(values(then), values(now), (what) => what === 'Together');
}

/** The reviews of which one counts otherwise now, or was not there then, in the order of now. */
export function reviewDifferences(
  then: readonly ExplainedReview[],
  now: readonly ExplainedReview[],
): (Difference & { reviewer: string })[] {
  const before = new Map(then.map((review) => [review.event_id, countedText(review)]));
  return now
    .map((review) => ({
      key: review.event_id,
      reviewer: review.reviewer_agent_id,
      what: timeText(review.reviewed_at),
      before: before.get(review.event_id) ?? 'Not yet there',
      now: countedText(review),
    }))
    .filter((row) => row.before !== row.now);
}

/** The counterparties that have reviewed since, or rate it otherwise. */
export function counterpartyDifferences(then: readonly RatingRecord[], now: readonly RatingRecord[]): Difference[] {
  const values = (ratings: readonly RatingRecord[]): Values =>
    counterpartiesOf(ratings).map(({ agentId, reviews, meanScore }) => [
      agentId,
      `${reviews} ${reviews === 1 ? 'review' : 'reviews'}, ${meanScore.toFixed(1)} of 10`,
    ]);
  return differing(values(then), values(now), () => false);
}

/** What one of both has and the other has not, or otherwise; `always` names what is shown in any case. */
const differing = (then: Values, now: Values, always: (what: string) => boolean): Difference[] => {
  const [before, after] = [new Map(then), new Map(now)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((what) => ({ key: what, what, before: textOf(before.get(what)), now: textOf(after.get(what)) }))
    .filter(({ what, before: was, now: is }) => always(what) || was !== is);
};
