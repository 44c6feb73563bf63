import { countEntries, type Entry, RECORD_MAX, recordOf, viewOf } from '@agent-trust/trust-policy';
import { agents } from '../../agent-directory/table.ts';
import { everyMember, organisationMembers } from '../../organisation-directory/projection.ts';
import type { ProjectedRegistryEvent } from '../../registry-event.ts';
import { reviewsVoidedNow, voidedReviews } from '../../voided-reviews/projection.ts';
import { neverExpires } from '../tables.ts';
import {
  agentRow,
  type Draft,
  noteRecords,
  organisationRow,
  putAgent,
  putOrganisation,
  recordNow,
  rescoreMembers,
  standingNow,
  unpackLine,
} from './draft.ts';
import {
  type OrganisationEvidenceRow,
  organisationPairs,
  organisationVouchers,
  subjectOf,
  trustEntries,
  type TrustEntryRow,
  wantOrganisations,
} from './organisation-tables.ts';

type Voided = Extract<ProjectedRegistryEvent, { type: 'ReviewsVoided' }>;
type Entries = readonly Readonly<TrustEntryRow>[];
type EntryKind = 'agent' | 'record' | 'answer';

/** All positions. */
const everyPosition = Number.MAX_SAFE_INTEGER;

/**
 * Counts the evidence anew that the void reviews were added to, without these. What was decided while they stood stays: the trust, the bits and the
 * answers of other reviews. This takes a time that grows with the number of reviews, which nothing else does.
 */
export function foldVoided(draft: Draft, event: Voided): void {
  const { rows, policy, rules, store } = draft;
  const { agentId } = event.data;
  const voidedNow = reviewsVoidedNow(event, rows);
  if (voidedNow.size === 0) return;
  const entriesOf = (kind: EntryKind, id: string): Entries =>
    rows.selectRange(trustEntries, subjectOf(policy.name, kind, id), everyPosition);
  const ownOrgId = rows.get(agents, agentId)?.orgId ?? null;
  if (ownOrgId !== null) wantOrganisations(rows, policy.name, [ownOrgId]);
  const entries = entriesOf('agent', agentId);
  const touched = entries.filter(({ position }) => voidedNow.has(position));
  // Where the agent's reviews were in records: its organisation may be another by now.
  const organisations = new Set(touched.flatMap(({ orgId }) => orgId ?? []));
  const answering = new Set(touched.flatMap(({ answeredBy }) => answeredBy));
  wantForAll(draft, entries, { organisations, answering });
  const isVoid = (position: bigint): boolean =>
    voidedNow.has(position) || rows.get(voidedReviews, position) !== undefined;
  const before = agentRow(draft, agentId);
  const { base } = unpackLine(before);
  const { evidence, pairs } = countEntries(base, countedFrom(entries, isVoid), rules);
  const pairOf = new Map(pairs.map((pair) => [pair.reviewer, pair]));
  for (const [reviewer, reviews] of countBy(entries.map((entry) => entry.reviewer))) {
    const pair = pairOf.get(reviewer) ?? null;
    const expiresAt = pair?.expiresAt ?? neverExpires;
    draft.writes.push((into) => store.putPair(into, { agentId, reviewer, expiresAt, pair, reviews }));
  }
  const records = new Map<string, number>();
  for (const orgId of organisations.union(answering)) {
    const recordBefore = recordNow(draft, orgId);
    const standingBefore = standingNow(draft, orgId);
    const ofRecord = entriesOf('record', orgId);
    let record = recordBefore;
    const row = organisationRow(draft, 'record', orgId);
    if (row !== undefined && organisations.has(orgId)) {
      const vouchers = countVouchers(draft, orgId, ofRecord, isVoid);
      record = countOrganisation(draft, row, ofRecord, isVoid, vouchers);
    }
    records.set(orgId, record);
    const stored = organisationRow(draft, 'standing', orgId);
    let standing = record;
    if (stored !== undefined) {
      const all = inStanding(ofRecord, entriesOf('answer', orgId));
      standing = countOrganisation(draft, stored, all, isVoid, 0);
    }
    const cause = { at: event.data.voidedAt, transactionId: null };
    noteRecords(draft, orgId, cause, { record: recordBefore, standing: standingBefore }, { record, standing });
    if (record !== recordBefore) rescoreMembers(draft, orgId, record, agentId);
  }
  const record = ownOrgId === null ? null : (records.get(ownOrgId) ?? recordNow(draft, ownOrgId));
  putAgent(draft, before, { agentId, base, evidence, view: viewOf(evidence, rules), record }, null);
}

/**
 * Asks for all rows that a void reads, before anything is counted: a few rounds of loading for any number of organisations, and each review is counted
 * once.
 *
 * @param entries of the agent
 */
const wantForAll = (
  draft: Draft,
  entries: Entries,
  { organisations, answering }: { organisations: ReadonlySet<string>; answering: ReadonlySet<string> },
): void => {
  const { rows, policy, store } = draft;
  const counted = [...organisations.union(answering)].flatMap((orgId) =>
    (['record', 'answer'] as const).map((kind) => ({ orgId, kind, subject: subjectOf(policy.name, kind, orgId) })),
  );
  wantOrganisations(rows, policy.name, organisations.union(answering));
  for (const { subject } of counted) rows.range(trustEntries, subject, everyPosition);
  for (const orgId of organisations) rows.range(organisationMembers, orgId, everyMember);
  // All of the above is loaded here, at the first that is missing.
  for (const { orgId, kind, subject } of counted) {
    for (const { position, vouches, own } of rows.selectRange(trustEntries, subject, everyPosition)) {
      rows.row(voidedReviews, position);
      if (kind === 'record' && organisations.has(orgId) && vouches && own !== null) {
        rows.row(organisationVouchers, policy.name, orgId, own);
      }
    }
  }
  for (const { position } of entries) rows.row(voidedReviews, position);
  // Also where the record turns out to be as before, which the count alone shows.
  for (const orgId of organisations) {
    const members = rows.selectRange(organisationMembers, orgId, everyMember);
    for (const { agentId } of members) store.wantEvidence(rows, agentId);
  }
};

const countedFrom = (entries: Entries, isVoid: (position: bigint) => boolean): { entry: Entry; isVoid: boolean }[] =>
  entries.map((row) => ({ entry: entryOf(row), isVoid: isVoid(row.position) }));

const entryOf = (row: Readonly<TrustEntryRow>): Entry => ({
  reviewedAt: row.countedAt,
  reviewer: row.reviewer,
  roots: row.roots,
  trust: row.trust,
  success: row.success,
  score: row.score,
  own: row.own === null ? null : { organisation: row.own, isEstablished: row.isEstablished },
});

/** The entries of a standing record, in log order. */
const inStanding = (ofRecord: Entries, answers: Entries): Entries =>
  [...ofRecord.map((row) => ({ ...row, countedAt: row.standingCountedAt ?? row.countedAt })), ...answers].sort(
    (a, b) => (a.position < b.position ? -1 : 1),
  );

/** Puts an organisation's evidence, counted anew, and returns the record that it gives. */
const countOrganisation = (
  draft: Draft,
  row: Readonly<OrganisationEvidenceRow>,
  entries: Entries,
  isVoid: (position: bigint) => boolean,
  vouchers: number,
): number => {
  const { rules, writes } = draft;
  const { subject } = row;
  const { evidence, pairs } = countEntries(RECORD_MAX, countedFrom(entries, isVoid), rules);
  const pairOf = new Map(pairs.map((pair) => [pair.reviewer, pair]));
  for (const reviewer of new Set(entries.map((entry) => entry.reviewer))) {
    const pair = pairOf.get(reviewer);
    writes.push((into) => {
      if (pair === undefined) into.delete(organisationPairs, subject, reviewer);
      else into.put(organisationPairs, { subject, reviewer, expiresAt: pair.expiresAt, pair });
    });
  }
  const { record } = recordOf(viewOf(evidence, rules), rules);
  putOrganisation(draft, row, { evidence, record, vouchers }, null);
  return record;
};

/** Takes back the vouches of void reviews, and returns how many organisations still vouch. */
const countVouchers = (
  { rows, policy, event, writes }: Draft,
  orgId: string,
  entries: Entries,
  isVoid: (position: bigint) => boolean,
): number => {
  const vouching = entries.filter(({ vouches }) => vouches);
  const since = new Map<string, string | null>();
  for (const { own, position } of vouching) {
    if (own === null) continue;
    since.set(own, since.get(own) ?? (isVoid(position) ? null : String(position)));
  }
  for (const [voucher, first] of since) {
    const known = rows.get(organisationVouchers, policy.name, orgId, voucher)?.periods ?? [];
    if ((known.at(-1)?.[1] ?? null) === first) continue;
    const periods = [...known, [String(event.position), first] as const];
    writes.push((into) => into.put(organisationVouchers, { trustPolicy: policy.name, orgId, voucher, periods }));
  }
  return [...since.values()].filter((first) => first !== null).length;
};

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
