import { column, defineTable, type RowOf, type Table, type Wanted } from '@agent-trust/projections';
import type { EvidenceV2, PairEvidence } from '@agent-trust/trust-policy';

/** What evidence about an organisation is: of its record, and from its first answer on of its standing record. */
export type OrganisationSubject = 'record' | 'standing';

/**
 * Names evidence under a policy of formula v2. `answer` names the reviews of others' agents that an organisation answers for; they are part of its
 * standing record. Names of policies have no spaces, so a subject has one reading.
 */
export function subjectOf(trustPolicy: string, kind: OrganisationSubject | 'agent' | 'answer', id: string): string {
  return `${trustPolicy} ${kind} ${id}`;
}

const evidence = defineTable({
  name: 'organisation_evidence',
  columns: {
    subject: 'text',
    trustPolicy: 'text',
    kind: column<OrganisationSubject>('text'),
    orgId: 'text',
    /** The record, or the standing record: 0–75. */
    record: 'double precision',
    /** Of the record: how many organisations vouch for this one. */
    vouchers: 'integer',
    /** Time of the newest review in milliseconds since the Unix epoch; null before the first. */
    newestAt: 'double precision?',
    scoredPosition: 'bigint',
    /** The last step that led here, as of an agent's evidence. */
    windowPosition: 'bigint',
    step: 'integer',
  },
  key: ['subject'],
  variesWithBuild: true,
});
export type OrganisationEvidenceRow = RowOf<typeof evidence> & { evidence?: EvidenceV2 };

/** The evidence about organisations. A row of a record is there for each organisation that the log has named. */
export const organisationEvidence: Table<OrganisationEvidenceRow> = evidence;

/** Asks for the record and the standing record of organisations; there need not be such organisations. */
export function wantOrganisations(wanted: Pick<Wanted, 'row'>, trustPolicy: string, orgIds: Iterable<string>): void {
  for (const orgId of orgIds) {
    wanted.row(organisationEvidence, subjectOf(trustPolicy, 'record', orgId));
    wanted.row(organisationEvidence, subjectOf(trustPolicy, 'standing', orgId));
  }
}

/** How it came about, as for agents: the first step of a window is whole, each later one is what a review changed. */
export const organisationSteps = defineTable({
  name: 'organisation_evidence_step',
  columns: { subject: 'text', windowPosition: 'bigint', step: 'integer', position: 'bigint', change: 'text' },
  key: ['subject', 'windowPosition', 'step'],
  appendOnly: true,
  variesWithBuild: true,
});

/** What is held of the reviews of one organisation's agents by one reviewer, as long as one of them counts. */
export const organisationPairs = defineTable({
  name: 'organisation_pair',
  columns: {
    subject: 'text',
    reviewer: 'text',
    /** The pair's own, put where an index can find it. */
    expiresAt: 'double precision',
    pair: column<PairEvidence>('jsonb'),
  },
  key: ['subject', 'reviewer'],
  range: { group: 'subject', order: 'expiresAt' },
  variesWithBuild: true,
});

/** From a position on: the review by which it first vouched, by its position; null while it does not vouch. */
type VoucherPeriod = readonly [from: string, since: string | null];

/** Which organisations vouch for which, and since when. */
export const organisationVouchers = defineTable({
  name: 'organisation_voucher',
  columns: {
    trustPolicy: 'text',
    orgId: 'text',
    voucher: 'text',
    /** Oldest first. Only void reviews make more than one. */
    periods: column<readonly VoucherPeriod[]>('jsonb'),
  },
  key: ['trustPolicy', 'orgId', 'voucher'],
  variesWithBuild: true,
});

/** One change of an organisation's record or standing record, and the event that caused it. Before the first both are 75. */
export const organisationRecordChanges = defineTable({
  name: 'organisation_record_change',
  columns: {
    trustPolicy: 'text',
    orgId: 'text',
    position: 'bigint',
    at: 'timestamptz',
    record: 'double precision',
    previousRecord: 'double precision',
    standing: 'double precision',
    previousStanding: 'double precision',
    causeType: 'text',
    causeEventId: 'text',
    transactionId: 'text?',
  },
  key: ['trustPolicy', 'orgId', 'position'],
  appendOnly: true,
  variesWithBuild: true,
});

/** A review as it was added to evidence. Those of a standing record are the entries of the record and the answers. */
export const trustEntries = defineTable({
  name: 'trust_entry',
  columns: {
    subject: 'text',
    /** Of the review in the log. */
    position: 'bigint',
    receiverAgentId: 'text',
    reviewer: 'text',
    /** Its number in the evidence, from 0, and when it counts as made there, in milliseconds since the Unix epoch. */
    place: 'integer',
    countedAt: 'double precision',
    /** Of an entry of a record the same in the standing record; null as long as the two are the same. */
    standingPlace: 'integer?',
    standingCountedAt: 'double precision?',
    trust: 'double precision',
    success: 'boolean',
    score: 'integer',
    roots: column<Readonly<Record<string, number>>>('jsonb'),
    /** The reviewer's organisation, and whether it was established then. */
    own: 'text?',
    isEstablished: 'boolean',
    /** Of an answer: the share of the agent that the organisation answers for. */
    share: 'double precision?',
    /** Of a record: the reviewer's organisation vouches for this one by it. */
    vouches: 'boolean',
    /** Of an agent: the organisation whose record has the review, too, and those that answer for it. */
    orgId: 'text?',
    answeredBy: 'text[]',
  },
  key: ['subject', 'position'],
  appendOnly: true,
  range: { group: 'subject', order: 'position' },
  variesWithBuild: true,
});
export type TrustEntryRow = RowOf<typeof trustEntries>;

/** For whom a domain was reserved last; null for nobody. It stays so when the reservation ends. */
export const reservedDomains = defineTable({
  name: 'reserved_domain',
  columns: { domain: 'text', orgId: 'text?' },
  key: ['domain'],
  variesWithBuild: true,
});

/** The tables of formula v2 besides those of agents' evidence. Without a policy of this formula they are empty. */
export const organisationTables = [
  organisationEvidence,
  organisationSteps,
  organisationPairs,
  organisationVouchers,
  organisationRecordChanges,
  trustEntries,
  reservedDomains,
] as const;
