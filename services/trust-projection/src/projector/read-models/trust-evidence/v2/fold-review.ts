import { type Addition, type Entry, planReview, type ReviewPlan, viewOf } from '@agent-trust/trust-policy';
import { agents } from '../../agent-directory/table.ts';
import type { Reviewed } from '../reviewed.ts';
import { addToAgent, addToOrganisation, type Counted, newStandingRow, wantForEntry } from './add-to-evidence.ts';
import {
  agentRow,
  type Draft,
  isEstablishedNow,
  markedEvidence,
  meetOrganisation,
  noteRecords,
  organisationRow,
  rescoreMembers,
  standingNow,
  unpackLine,
} from './draft.ts';
import {
  type OrganisationEvidenceRow,
  organisationVouchers,
  reservedDomains,
  subjectOf,
  trustEntries,
  type TrustEntryRow,
  wantOrganisations,
} from './organisation-tables.ts';
import { recordedReviewOf } from './trust-event-of.ts';

/** What a review in production does: section 2 of the policy's text. All that is read is the state before it. */
export function foldReview(draft: Draft, reviewed: Reviewed): void {
  const { receiverAgentId: agentId, reviewer } = reviewed.data;
  const before = agentRow(draft, agentId);
  const { base } = unpackLine(before);
  const orgId = draft.rows.get(agents, agentId)?.orgId ?? null;
  if (reviewer.orgId !== null) meetOrganisation(draft, reviewer.orgId);
  const { additions, vouch } = planOf(draft, reviewed, { base, orgId });
  const answers = additions.filter((addition) => addition.answers !== null);
  wantForAll(draft, additions, vouch);
  for (const answer of answers) addAnswer(draft, reviewed, answer);
  for (const { subject, entry, answers: share } of additions) {
    if (share !== null || subject.kind !== 'agent') continue;
    const added = addToAgent(draft, before, base, entry);
    const answeredBy = answers.map((answer) => answer.subject.id);
    putEntry(draft, reviewed, 'agent', agentId, entry, { ...countOf(added), orgId, answeredBy });
    const inRecord = additions.find((addition) => addition.subject.kind === 'record')?.entry;
    const record =
      orgId === null || inRecord === undefined ? null : addToRecords(draft, reviewed, orgId, inRecord, vouch);
    added.put(record);
  }
}

const planOf = (
  draft: Draft,
  reviewed: Reviewed,
  { base, orgId }: { base: number; orgId: string | null },
): ReviewPlan => {
  const { rows, policy, rules } = draft;
  const { receiverAgentId, reviewer } = reviewed.data;
  const before = agentRow(draft, receiverAgentId);
  const isOrganisation = (root: string): boolean => organisationRow(draft, 'record', root) !== undefined;
  return planReview(
    {
      review: recordedReviewOf(reviewed),
      receiver: { organisation: orgId, base, view: () => viewOf(markedEvidence(draft, before), rules) },
      isEstablished: reviewer.orgId !== null && isEstablishedNow(draft, reviewer.orgId),
      organisationOf: (root) => (isOrganisation(root) ? root : (rows.get(reservedDomains, root)?.orgId ?? null)),
      organisationsAmong: (roots) => {
        wantOrganisations(rows, policy.name, roots);
        return new Set(roots.filter(isOrganisation));
      },
    },
    rules,
  );
};

/** The record row of an organisation that has agents, so the log has named it. */
const recordRow = (draft: Draft, orgId: string): Readonly<OrganisationEvidenceRow> => {
  const row = organisationRow(draft, 'record', orgId);
  if (row === undefined) throw new Error(`organisation ${orgId} is reviewed, but no event has named it`);
  return row;
};

/**
 * Asks for what all additions to records read, before the first is computed: one by one they would be loaded in as many rounds, and each round computes
 * all from the beginning.
 */
const wantForAll = (draft: Draft, additions: readonly Addition[], vouch: ReviewPlan['vouch']): void => {
  const { rows, policy } = draft;
  if (vouch !== null) rows.row(organisationVouchers, policy.name, vouch.organisation, vouch.voucher);
  for (const { subject, entry, answers } of additions) {
    if (subject.kind === 'agent') continue;
    const stored = organisationRow(draft, subject.kind, subject.id);
    if (stored !== undefined) wantForEntry(draft, stored, entry, false);
    else if (answers !== null) wantForEntry(draft, recordRow(draft, subject.id), entry, true);
  }
};

/** An organisation answers for an agent that it has raised. */
const addAnswer = (draft: Draft, reviewed: Reviewed, { subject: { id: orgId }, entry, answers }: Addition): void => {
  const record = recordRow(draft, orgId);
  const stored = organisationRow(draft, 'standing', orgId);
  const added =
    stored === undefined
      ? addToOrganisation(draft, newStandingRow(draft, record), entry, record)
      : addToOrganisation(draft, stored, entry);
  added.put(0);
  putEntry(draft, reviewed, 'answer', orgId, entry, { ...countOf(added), share: answers });
  const before = { record: record.record, standing: standingNow(draft, orgId) };
  noteRecords(draft, orgId, causeOf(reviewed), before, { record: record.record, standing: added.record });
};

/** Adds a review to the record of the agent's organisation, and to its standing record if that is another. Returns the record. */
const addToRecords = (
  draft: Draft,
  reviewed: Reviewed,
  orgId: string,
  entry: Entry,
  vouch: ReviewPlan['vouch'],
): number => {
  const row = recordRow(draft, orgId);
  const stored = organisationRow(draft, 'standing', orgId);
  const record = addToOrganisation(draft, row, entry);
  const standing = stored === undefined ? null : addToOrganisation(draft, stored, entry);
  record.put(row.vouchers + (vouch !== null && addVoucher(draft, reviewed, vouch) ? 1 : 0));
  standing?.put(0);
  putEntry(draft, reviewed, 'record', orgId, entry, {
    ...countOf(record),
    standingPlace: standing?.place ?? null,
    standingCountedAt: standing?.countedAt ?? null,
    vouches: vouch !== null,
  });
  const before = { record: row.record, standing: standingNow(draft, orgId) };
  const after = { record: record.record, standing: standing?.record ?? record.record };
  noteRecords(draft, orgId, causeOf(reviewed), before, after);
  if (record.record !== row.record) {
    rescoreMembers(draft, orgId, record.record, reviewed.data.receiverAgentId);
  }
  return record.record;
};

/** Whether an organisation vouches that did not before. */
const addVoucher = (
  { rows, policy, writes }: Draft,
  { position }: Reviewed,
  { organisation: orgId, voucher }: NonNullable<ReviewPlan['vouch']>,
): boolean => {
  const known = rows.get(organisationVouchers, policy.name, orgId, voucher)?.periods ?? [];
  if ((known.at(-1)?.[1] ?? null) !== null) return false;
  const periods = [...known, [String(position), String(position)] as const];
  writes.push((into) => into.put(organisationVouchers, { trustPolicy: policy.name, orgId, voucher, periods }));
  return true;
};

const countOf = ({ place, countedAt }: Counted): Counted => ({ place, countedAt });

const causeOf = ({ data }: Reviewed): { at: string; transactionId: string } => ({
  at: data.reviewedAt,
  transactionId: data.transactionId,
});

const putEntry = (
  { policy, writes }: Draft,
  { position, data }: Reviewed,
  kind: 'agent' | 'record' | 'answer',
  id: string,
  { reviewer, trust, success, score, roots, own }: Entry,
  facts: Partial<TrustEntryRow> & Counted,
): void => {
  writes.push((into) =>
    into.insert(trustEntries, {
      subject: subjectOf(policy.name, kind, id),
      position,
      receiverAgentId: data.receiverAgentId,
      reviewer,
      standingPlace: null,
      standingCountedAt: null,
      trust,
      success,
      score,
      roots,
      own: own?.organisation ?? null,
      isEstablished: own?.isEstablished ?? false,
      share: null,
      vouches: false,
      orgId: null,
      answeredBy: [],
      ...facts,
    }),
  );
};
