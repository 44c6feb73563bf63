import { NOISE_POINTS } from '../v1/constants.ts';
import { reviewValue } from '../v1/review.ts';
import type { Entry, Subject } from './entry.ts';
import { isContent } from './mark.ts';
import { raisersOf, rootInRecord, rootsInEvidence } from './roots.ts';
import { PRIOR_UNAFFILIATED, type RulesV2 } from './rules.ts';
import type { RecordedReviewV2 } from './trust-event.ts';
import type { EvidenceView } from './view.ts';

/** The state that a review meets: everything as it was before its event. */
export type ReviewContext = {
  review: RecordedReviewV2;
  receiver: {
    organisation: string | null;
    base: number;
    /** The evidence about the receiver; null before its first review. Read for bad reviews of unaffiliated agents only. */
    view: () => EvidenceView | null;
  };
  /** Whether the reviewer's organisation is established; false without one. */
  isEstablished: boolean;
  /** See `rootsInEvidence`. */
  organisationOf: (root: string) => string | null;
  /** Which of some roots are organisations, and not domains or `none`. Asked once, of those alone whose answer depends on it. */
  organisationsAmong: (roots: readonly string[]) => ReadonlySet<string>;
};

export type Addition = {
  subject: Subject;
  entry: Entry;
  /** The share of the reviewed agent that the organisation answers for; null for a review of one's own agent. */
  answers: number | null;
};

/** What a review does, in order. Additions to the standing record of an organisation that has never answered are those to its record. */
export type ReviewPlan = {
  additions: Addition[];
  /** The reviewer's organisation vouches for the receiver's. */
  vouch: { organisation: string; voucher: string } | null;
};

/** Section 2 of the policy, up to its fourth step. Nothing for a review in a sandbox. */
export function planReview(context: ReviewContext, rules: RulesV2): ReviewPlan {
  const { review, receiver, isEstablished, organisationOf } = context;
  const { reviewer, reviewedAt, success, score } = review;
  if (!review.inProduction) return { additions: [], vouch: null };
  const own = reviewer.organisation === null ? null : { organisation: reviewer.organisation, isEstablished };
  const said = { reviewedAt, reviewer: reviewer.agent, trust: reviewer.trust, success, score, own };
  const inEvidence: Entry = { ...said, roots: rootsInEvidence(reviewer, organisationOf, rules) };
  const inRecord: Entry = { ...said, roots: rootInRecord(reviewer) };
  const isGood = reviewValue(review, rules) >= rules.badBelow;
  const additions: Addition[] = isGood ? [] : answersFor(context, inRecord, rules);
  additions.push({ subject: { kind: 'agent', id: review.receiver }, entry: inEvidence, answers: null });
  const { organisation } = receiver;
  if (organisation === null) return { additions, vouch: null };
  additions.push(
    { subject: { kind: 'record', id: organisation }, entry: inRecord, answers: null },
    { subject: { kind: 'standing', id: organisation }, entry: inRecord, answers: null },
  );
  const vouches = isGood && own !== null && own.organisation !== organisation;
  return { additions, vouch: vouches ? { organisation, voucher: own.organisation } : null };
}

/** Who raised much of an unaffiliated agent answers for it until it has itself been disappointed and said so. */
const answersFor = (
  { review, receiver, organisationsAmong }: ReviewContext,
  entry: Entry,
  rules: RulesV2,
): Addition[] => {
  if (receiver.base !== PRIOR_UNAFFILIATED) return [];
  const view = receiver.view();
  if (view === null) return [];
  const raisers = raisersOf(view, receiver.base).filter(({ root, share, mark }) => {
    const isInvolved = root === review.reviewer.organisation || root === receiver.organisation;
    return !isInvolved && share > rules.answerShareMin + NOISE_POINTS && isContent(mark);
  });
  const organisations = organisationsAmong(raisers.map(({ root }) => root));
  return raisers
    .filter(({ root }) => organisations.has(root))
    .map(({ root, share }) => ({
      subject: { kind: 'standing', id: root },
      entry: { ...entry, trust: entry.trust * share },
      answers: share,
    }));
};
